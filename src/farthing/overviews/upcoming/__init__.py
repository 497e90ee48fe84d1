"""Lists expected payments of bills and recurrences, and counts overdue ones."""
