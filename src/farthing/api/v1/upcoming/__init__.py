"""Lists the expected payments of bills and recurrences, day by day."""
