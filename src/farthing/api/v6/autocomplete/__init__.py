"""Suggests names and descriptions while the user types."""
