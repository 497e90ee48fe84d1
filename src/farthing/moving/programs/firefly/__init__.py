"""Firefly III: its CSV export, and everything that its API hands out, as a file."""
