"""Lists transactions that wait to be looked at, grouped by payee."""
