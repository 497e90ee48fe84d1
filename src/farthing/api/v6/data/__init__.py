"""Serves exports, and deletes or moves many objects at once."""
