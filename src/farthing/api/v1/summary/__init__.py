"""Sums up a range of days in a few figures for each currency."""
