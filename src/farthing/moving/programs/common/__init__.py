"""What the readers of other programs share: raw entries, pairing, building, texts and numbers."""
