"""Apps of others that people let into their books: OAuth 2.0."""
