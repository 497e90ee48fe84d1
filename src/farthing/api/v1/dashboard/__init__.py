"""Shows everything that the first page of an app needs, in one answer."""
