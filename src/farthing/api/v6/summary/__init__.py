"""Serves the summary of a range of days."""
