"""Computes the days of bills and recurrences: frequencies, repetitions, days off; pure."""
