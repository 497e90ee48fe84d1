"""Reads files of exchange rates, and fetches those that are published."""
