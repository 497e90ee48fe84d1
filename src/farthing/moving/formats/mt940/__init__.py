"""Reads MT940 and MT942 files."""

from .reader import looks_like, read

__all__ = ["looks_like", "read"]
