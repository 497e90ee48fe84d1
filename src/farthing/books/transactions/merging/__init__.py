"""Moves all transactions from one label or payee to another."""
