"""Shows and changes the user's preferences, by name."""
