"""Serves bills under their other name, subscriptions."""
