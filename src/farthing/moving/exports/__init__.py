"""Exports the whole books, or a part of them, as files that other programs read."""
