"""Computes the days of bills and recurrences: frequencies, repetitions, days off. Does no I/O."""
