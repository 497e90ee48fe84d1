"""Protects the data with undo, monitoring, checks and backups."""
