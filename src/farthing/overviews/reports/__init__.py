"""Computes reports on a range of days: income and expense, breakdowns, budgets, cash flow and totals."""
