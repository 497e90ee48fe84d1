"""Sends and receives files."""
