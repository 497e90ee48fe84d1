"""What else happens when something is created, changed or deleted."""
