"""Sums up the spending, the income and the transfers of a range of days."""
