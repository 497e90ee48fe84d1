"""Bills are expected regular payments, each with the transactions that pay it."""
