"""Implements the common database interface for SQLite and PostgreSQL."""
