"""Transactions are groups of one or more splits, which clients call journals."""
