"""Provides the routes that categories, budgets, tags and payees share."""
