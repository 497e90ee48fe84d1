"""A recurrence creates transactions on a schedule."""
