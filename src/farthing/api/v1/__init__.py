"""Serves the dialect of the contract."""
