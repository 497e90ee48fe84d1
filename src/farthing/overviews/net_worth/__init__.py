"""Reads the net worth of a user: all own accounts that count in it, by currency or by account."""
