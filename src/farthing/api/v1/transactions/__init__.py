"""Transactions are withdrawals, deposits and transfers, with one or more splits."""
