"""Keeps the stored sums consistent with the entries: entry by entry, or with statements on sets of rows."""
