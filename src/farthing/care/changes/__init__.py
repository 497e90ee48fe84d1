"""The log of changes: list, undo and forget them."""
