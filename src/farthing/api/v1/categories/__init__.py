"""A category says what money was spent on or where it came from. Each split has at most one category."""
