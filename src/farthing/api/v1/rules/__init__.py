"""A rule changes transactions that match its triggers."""
