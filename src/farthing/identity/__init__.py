"""Manages users, tokens, sessions and passwords."""
