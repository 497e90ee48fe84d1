"""Maintains what search and bills look up: the words of entries and the amounts of withdrawals."""
