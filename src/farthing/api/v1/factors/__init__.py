"""Second factors: authenticator apps and recovery codes, besides the password."""
