"""Budgets in months side by side: limits, what was carried over, spent and left; and the same as envelopes."""
