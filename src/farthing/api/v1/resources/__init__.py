"""Provides what most nouns of the API share: their usual routes, their pages, and the links of their objects."""
