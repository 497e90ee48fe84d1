"""Reads CAMT files."""
