"""The days of bills and recurrences: frequencies, repetitions, days off. Pure."""
