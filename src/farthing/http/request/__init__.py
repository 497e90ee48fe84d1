"""Reads everything of a request except its body: the query, cookies, proxy headers."""
