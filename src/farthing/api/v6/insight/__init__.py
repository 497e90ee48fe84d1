"""Serves insights: sums of spending, income and transfers."""
