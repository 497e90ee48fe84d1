"""Implements double entry: kinds of accounts, entries, splits, and their effect on stored sums. Does no I/O."""
