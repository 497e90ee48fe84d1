"""Import jobs: a file, what it would change in the books, and what became of each of its rows."""
