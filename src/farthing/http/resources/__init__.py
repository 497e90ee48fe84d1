"""Serves the usual routes of a resource, in either version of the API."""
