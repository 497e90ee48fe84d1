"""Lets people authorize other programs to use their books (OAuth 2.0)."""
