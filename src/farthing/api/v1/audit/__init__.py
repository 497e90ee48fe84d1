"""The audit log records sign-ins, refused attempts, and changes that affect security. Entries are kept for 400 days."""
