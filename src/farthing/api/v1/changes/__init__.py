"""What was done, by which token, and how to take it back."""
