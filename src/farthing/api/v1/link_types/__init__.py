"""A type of links says how two transactions belong together."""
