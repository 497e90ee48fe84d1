"""Lists what was changed, by whom and with which token, and undoes changes."""
