"""Receives and decodes request bodies, within their limits."""
