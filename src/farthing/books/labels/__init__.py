"""Stores and sums labels: categories, budgets and tags."""
