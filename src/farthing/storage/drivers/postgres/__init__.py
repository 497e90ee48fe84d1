"""Implements units of work and connections for PostgreSQL, without blocking the event loop."""
