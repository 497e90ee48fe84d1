"""Finds which purchases refunds give money back for."""
