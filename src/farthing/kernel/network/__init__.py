"""Sends requests to addresses that people enter, and compares addresses with networks from the settings."""
