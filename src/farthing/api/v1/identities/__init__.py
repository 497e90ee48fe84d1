"""Links your user with sign-in providers, as an alternative to the password."""
