"""The command line: runs the server and manages users, tokens and the database."""
