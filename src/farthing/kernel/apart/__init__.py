"""Reads untrusted files in separate processes, which have limits and can be ended at any moment."""
