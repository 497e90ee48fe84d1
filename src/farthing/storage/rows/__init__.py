"""Converts rows from either database to structs."""
