"""Computes reports on a range of days: income and expense, breakdowns, budgets, net worth, cash flow."""
