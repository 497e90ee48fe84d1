"""Expected payments of bills and recurrences: what is due, and what is overdue."""
