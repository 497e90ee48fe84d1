"""Measures what one user can do to the others."""
