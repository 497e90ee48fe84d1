"""Lets several people work in the same books."""
