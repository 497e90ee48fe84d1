"""Logs every write, restores rows from that log, and uses it to check whether an object has changed."""
