"""Webhooks of version 1, and what both versions need to receive."""
