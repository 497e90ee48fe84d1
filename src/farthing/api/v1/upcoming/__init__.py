"""Upcoming: what bills and recurrences will bring, day by day."""
