"""Suggests categories, budgets, tags and payees from earlier transactions; writes nothing and keeps nothing."""
