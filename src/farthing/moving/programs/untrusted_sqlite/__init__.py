"""Opens SQLite files of strangers, in a process of its own."""
