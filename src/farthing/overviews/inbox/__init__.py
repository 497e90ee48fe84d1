"""Lists transactions that the user still has to look at, grouped by payee."""
