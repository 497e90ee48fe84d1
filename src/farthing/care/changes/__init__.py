"""Lists, compares, undoes and deletes the logged changes of the books."""
