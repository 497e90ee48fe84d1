"""Reads the amounts of a report: divides its range, reads sums or splits, and converts amounts."""
