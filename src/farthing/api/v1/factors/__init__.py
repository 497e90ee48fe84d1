"""Manages second factors: authenticator apps, passkeys and recovery codes."""
