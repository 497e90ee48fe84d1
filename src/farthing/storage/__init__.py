"""Databases, units of work, migrations, the log of changes, jobs and files."""
