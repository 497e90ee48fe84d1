"""Reads what comes in besides the body: the query, cookies, proxy headers."""
