"""Maintains two indexes: the words of entries for the search, and the amounts of withdrawals for matching bills."""
