"""Compares budgets month by month, also as envelopes: limit, carried over, spent, left."""
