"""Computes the main figures of a range of days: balance, spending, income, bills and net worth."""
