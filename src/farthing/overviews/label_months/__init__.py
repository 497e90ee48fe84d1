"""Sums spending and income month by month for a category, a tag or a payee."""
