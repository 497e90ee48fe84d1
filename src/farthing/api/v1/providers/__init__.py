"""Signs users in with a provider of OpenID Connect, or by a proxy that has authenticated them."""
