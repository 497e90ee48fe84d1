"""Serves tags."""
