"""Finds transactions by words, accounts, labels and amounts."""
