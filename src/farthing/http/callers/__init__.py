"""Finds out who is calling and refuses what they may not do."""
