"""Users, tokens, sessions and passwords."""
