"""Serves categories."""
