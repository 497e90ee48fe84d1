"""Books that several people work in."""
