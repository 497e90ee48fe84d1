"""Exports of the books, as files that other programs read."""
