"""Reads MT940 and MT942 files."""
