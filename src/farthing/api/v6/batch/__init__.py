"""Lets importers announce the end of a series of requests."""
