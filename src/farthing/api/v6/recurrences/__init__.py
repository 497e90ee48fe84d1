"""A recurrence books transactions on planned days."""
