"""Small things that everything needs: money, text, the clock, errors, fields, settings, the log."""
