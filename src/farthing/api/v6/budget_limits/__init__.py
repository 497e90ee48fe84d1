"""Serves budget limits."""
