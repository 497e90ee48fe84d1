"""Holds what everything else needs: money, text, the clock, errors, fields, settings, the log."""
