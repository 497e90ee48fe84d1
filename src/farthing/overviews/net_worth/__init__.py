"""Reads the net worth over time, by account."""
