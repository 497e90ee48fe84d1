"""Reads the net worth over time, in total and by account."""
