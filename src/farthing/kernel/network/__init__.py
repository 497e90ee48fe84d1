"""Sends requests to addresses that people name, and compares addresses with networks that settings name."""
