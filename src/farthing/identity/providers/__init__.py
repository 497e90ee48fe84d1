"""Signs users in with a provider of OpenID Connect, and links its accounts to users."""
