"""Runs import jobs part by part, each kind of import by its own runner, and takes back what one made."""
