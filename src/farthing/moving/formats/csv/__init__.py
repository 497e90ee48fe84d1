"""Reads the tables that banks export as text (CSV, TSV and similar), however they are laid out."""
