"""Suggestions are categories, budgets, tags and payees that earlier transactions make likely."""
