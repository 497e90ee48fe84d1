"""Reads the files that banks export, and turns them into statements and findings."""
