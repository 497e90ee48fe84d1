"""The inbox lists transactions that need a category or a budget, and imported ones that nobody has looked at yet."""
