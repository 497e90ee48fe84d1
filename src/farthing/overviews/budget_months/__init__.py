"""Reads budgets month by month: the limit of each month, and the amounts carried over, spent and left."""
