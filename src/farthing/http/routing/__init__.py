"""Passes every request to its endpoint. Also handles the public address, allowed hosts, headers and the log."""
