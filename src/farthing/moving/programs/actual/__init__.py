"""Reads the archives of Actual."""
