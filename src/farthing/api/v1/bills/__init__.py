"""Payments that are expected again and again, and the transactions that pay them."""
