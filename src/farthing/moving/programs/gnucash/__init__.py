"""Reads the books of GnuCash."""
