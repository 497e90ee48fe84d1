"""Reads the books of other programs: files in, books and findings out."""
