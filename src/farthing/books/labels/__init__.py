"""What categories, budgets and tags have in common."""
