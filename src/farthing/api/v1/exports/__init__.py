"""Exports the books as files that other programs read."""
