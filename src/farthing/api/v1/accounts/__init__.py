"""Accounts hold money (assets and liabilities) or are the other party of payments (expense and revenue accounts)."""
