"""Signing in and out, where one is signed in, and the password."""
