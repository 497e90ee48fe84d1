"""Stores all data: databases, units of work, migrations, the log of changes, the queue of jobs, and files."""
