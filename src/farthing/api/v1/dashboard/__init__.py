"""Shows everything on the first page in one answer."""
