"""Shares what the readers of other programs need: raw entries, pairing, building, texts and numbers."""
