"""Composes and records transactions. All changes to booked amounts are made through this package."""
