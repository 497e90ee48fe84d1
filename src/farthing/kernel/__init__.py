"""Contains what all other packages need: money, text, the clock, errors, fields, settings, the log."""
