"""Pushes events to clients that keep listening, as Server-Sent Events."""
