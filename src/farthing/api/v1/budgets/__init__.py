"""Withdrawals are paid from budgets, one per split, with limits for a period."""
