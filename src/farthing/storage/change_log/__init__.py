"""Logs every write, restores rows from that log, and tells by it which version of an object is current."""
