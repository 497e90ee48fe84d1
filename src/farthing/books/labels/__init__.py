"""Stores labels (categories, budgets and tags), and reads the totals of each label."""
