"""Currencies, which everybody may read and only the owner may create, change and delete."""
