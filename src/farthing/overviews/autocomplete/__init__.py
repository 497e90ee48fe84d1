"""Suggests names and descriptions while somebody types."""
