"""Stores your own exchange rates, shows published ones, and converts amounts with them."""
