"""Reads the files that banks give out: bytes in, statements and findings out."""
