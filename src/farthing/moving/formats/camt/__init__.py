"""Reads CAMT files."""

from .reader import looks_like, read

__all__ = ["looks_like", "read"]
