"""What else happens when something is made, changed or removed."""
