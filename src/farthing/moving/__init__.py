"""Imports files from banks and other programs, and exports the books."""
