"""Adds, changes, removes and restores objects, and updates what depends on them."""
