"""Charts balances, net worth, income and expenses over time, from precomputed sums."""
