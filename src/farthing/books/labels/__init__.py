"""Stores what categories, budgets and tags have in common."""
