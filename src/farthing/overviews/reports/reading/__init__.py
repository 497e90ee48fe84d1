"""Reads the amounts of a report: its ranges, where amounts come from, their names, and conversion."""
