"""Runs the server processes and their connections, within limits."""
