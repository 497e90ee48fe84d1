"""The inbox lists transactions that wait for a category, a budget or a look."""
