"""Transactions found by words."""
