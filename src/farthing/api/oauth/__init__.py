"""Serves OAuth 2.0 at the addresses that apps expect, next to the API."""
