"""Charts: balances, net worth and money in and out over time, from sums that are kept."""
