"""Holds the commands that set Farthing up on a machine."""
