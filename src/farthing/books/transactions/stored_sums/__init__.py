"""Keeps the stored sums in step with the entries, one by one or by statements on sets of rows."""
