"""Links your user to sign-in providers, so that you can sign in without a password."""
