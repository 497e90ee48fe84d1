"""Looks after the data: undo, monitoring, checks and backups."""
