"""Serves available budgets."""
