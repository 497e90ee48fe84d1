"""Suggests names and descriptions while the user types, and what was last used with each description."""
