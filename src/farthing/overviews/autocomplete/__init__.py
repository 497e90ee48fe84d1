"""Suggests names and descriptions as the user types."""
