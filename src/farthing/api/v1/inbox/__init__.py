"""The inbox lists transactions that still need a category or a budget, or were imported and not looked at yet."""
