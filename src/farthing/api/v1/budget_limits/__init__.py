"""A budget limit is the amount that may be spent from a budget in a period."""
