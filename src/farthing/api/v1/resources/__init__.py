"""Provides what most nouns of the API share: their usual routes, pages and links."""
