"""Imports the books of another program: creates their objects, books their transactions, and compares the balances."""
