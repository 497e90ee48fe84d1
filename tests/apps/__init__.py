"""Apps of others: OAuth 2.0."""
