"""Serves the currencies of the world, and those that the owner adds."""
