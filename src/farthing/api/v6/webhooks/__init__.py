"""Serves webhooks and their messages."""
