"""Small things everybody needs: money, text, the clock, errors, fields, settings, the log."""
