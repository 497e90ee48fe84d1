"""Finds transactions by words."""
