"""A rule group holds rules that belong together, in the order in which they run."""
