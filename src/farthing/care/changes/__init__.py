"""Lists, compares, undoes and deletes the logged changes to the books."""
