"""Preferences of the user, by name."""
