"""Provides what most resources of the API share: their standard routes, pages and links."""
