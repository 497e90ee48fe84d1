"""Reads files of exchange rates, and fetches published rates."""
