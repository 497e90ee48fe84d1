"""Finds transactions by words, amounts, labels, accounts and days, newest first."""
