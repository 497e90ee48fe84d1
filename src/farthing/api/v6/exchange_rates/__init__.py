"""Serves the user's own exchange rates, by id or by currencies and day."""
