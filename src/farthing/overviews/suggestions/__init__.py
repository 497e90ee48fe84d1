"""Suggests categories, budgets, tags and payees from earlier transactions. Stores nothing."""
