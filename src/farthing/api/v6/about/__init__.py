"""The running version and the current user."""
