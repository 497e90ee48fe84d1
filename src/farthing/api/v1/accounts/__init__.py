"""Accounts hold money, or are the other side of payments: assets, liabilities, expense and revenue accounts."""
