"""Describes and parses settings. The list of settings is in `config.py`."""
