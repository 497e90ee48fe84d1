"""Lists what was changed, by which token, and undoes it."""
