"""Serves webhooks and what they have sent."""
