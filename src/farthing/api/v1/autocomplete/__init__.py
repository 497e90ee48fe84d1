"""Suggests names, and what was last used with a description, while the user types."""
