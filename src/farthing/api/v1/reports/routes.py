"""Serves reports."""

from . import breakdown, budgets, cash_flow, income_expense, net_worth, totals

ROUTES = (breakdown.ROUTE, income_expense.ROUTE, net_worth.ROUTE, cash_flow.ROUTE, budgets.ROUTE, totals.ROUTE)
