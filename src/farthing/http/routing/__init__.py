"""Leads every request to its endpoint: the public address, allowed hosts, canonical paths, headers, the log."""
