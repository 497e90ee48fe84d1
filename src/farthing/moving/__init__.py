"""Imports files of banks and of other programs, and exports."""
