"""Opens untrusted SQLite files in a separate process."""
