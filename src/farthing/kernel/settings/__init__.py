"""Describes and parses settings; `config.py` lists them."""
