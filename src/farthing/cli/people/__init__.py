"""Holds the commands for apps, shared books and the audit log."""
