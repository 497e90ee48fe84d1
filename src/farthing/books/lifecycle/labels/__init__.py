"""Changes, merges and removes categories, budgets and tags, with what refers to them."""
