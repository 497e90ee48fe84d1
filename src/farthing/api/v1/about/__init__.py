"""What runs here, and who is asking."""
