"""What can be done from a terminal? Running the server and looking after users, tokens and the database."""
