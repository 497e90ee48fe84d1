"""Serves the books in which a user works: their own, and those shared with them."""
