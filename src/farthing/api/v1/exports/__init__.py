"""Exports the books as files that other programs can read."""
