"""Books that several people work in, and tokens with scopes."""
