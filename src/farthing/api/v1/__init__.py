"""Serves version 1 of the API, as the contract defines it. Each resource has its own folder."""
