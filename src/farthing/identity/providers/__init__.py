"""Signing in with a provider of OpenID Connect: who somebody is there, and who they are here."""
