"""Shows the running version and the current user."""
