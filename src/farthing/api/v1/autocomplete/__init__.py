"""Suggestions while somebody types: names that are known, and what was used last with a description."""
