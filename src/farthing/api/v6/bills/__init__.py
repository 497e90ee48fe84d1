"""Serves bills."""
