"""Serves accounts. The user's own accounts come first, in the order that the user has chosen."""
