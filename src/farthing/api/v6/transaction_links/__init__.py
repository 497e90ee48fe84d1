"""A link says that two transactions belong together."""
