"""A rule changes transactions that it matches."""
