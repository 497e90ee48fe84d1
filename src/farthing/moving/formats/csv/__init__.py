"""Reads tables of banks as text: CSV, TSV and their many habits."""
