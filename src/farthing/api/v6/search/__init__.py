"""Serves searches with operators, and tells importers which transactions are already booked."""
