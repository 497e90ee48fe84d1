"""Writes and reads the archive of one user's whole books, and brings it into empty books."""
