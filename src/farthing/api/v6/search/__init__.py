"""Serves searches with operators, and what importers ask before they book."""
