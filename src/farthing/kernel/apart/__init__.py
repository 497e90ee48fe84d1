"""Reads files of strangers in processes of their own, which have limits and can be ended at any moment."""
