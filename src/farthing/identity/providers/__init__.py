"""Signs users in with OpenID Connect providers, and links the accounts there to users."""
