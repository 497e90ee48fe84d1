"""Reads the net worth over time: by currency, or by account."""
