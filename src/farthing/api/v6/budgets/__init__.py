"""Serves budgets."""
