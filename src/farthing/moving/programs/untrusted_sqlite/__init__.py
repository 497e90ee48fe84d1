"""Opens untrusted SQLite files, in a process of its own."""
