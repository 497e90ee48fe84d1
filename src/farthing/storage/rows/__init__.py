"""Reads the rows of either database into structs."""
