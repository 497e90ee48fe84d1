"""How much may be spent from a budget in a period."""
