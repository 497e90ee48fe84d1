"""Links a user with users of sign-in providers, as an alternative to the password."""
