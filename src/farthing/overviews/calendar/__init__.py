"""Shows what is to come as a calendar."""
