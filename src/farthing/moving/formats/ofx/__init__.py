"""Reads OFX and QFX files."""
