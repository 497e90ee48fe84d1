"""Says what else happens to users, their preferences and their currencies."""
