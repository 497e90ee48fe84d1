"""Plans what each row of a file becomes, and books it."""
