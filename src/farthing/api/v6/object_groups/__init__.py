"""Serves groups of bills and piggy banks."""
