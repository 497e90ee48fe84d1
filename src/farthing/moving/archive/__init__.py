"""Writes one user's whole books into an archive, and loads an archive into empty books."""
