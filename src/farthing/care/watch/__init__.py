"""Metrics, running processes and checkups."""
