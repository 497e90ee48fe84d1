"""Transactions that make themselves on a schedule."""
