"""Reads what comes in: bodies, queries, cookies, proxy headers."""
