"""Signs users in with an OpenID Connect provider, or through a proxy that has already authenticated them."""
