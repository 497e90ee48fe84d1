"""The archive of one user's books: everything that they have, written, read and brought into empty books."""
