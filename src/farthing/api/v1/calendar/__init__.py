"""Serves a calendar of what is to come."""
