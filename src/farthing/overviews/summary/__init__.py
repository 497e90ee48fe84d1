"""Computes the main figures of a range of days: balances, spent, earned, bills, net worth."""
