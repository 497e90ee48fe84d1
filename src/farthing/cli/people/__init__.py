"""Holds the commands for users, their tokens and quotas, apps, shared books and the audit log."""
