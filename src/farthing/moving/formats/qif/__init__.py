"""Reads QIF files."""
