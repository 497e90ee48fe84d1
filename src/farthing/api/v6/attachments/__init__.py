"""Serves attached files."""
