"""Lets others follow the changes of the books, page by page or pushed."""
