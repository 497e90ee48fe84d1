"""Plans what becomes of each row of an imported file, and books it."""
