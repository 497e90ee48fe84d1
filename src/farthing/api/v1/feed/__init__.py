"""Lets others follow the changes to the books, page by page or pushed."""
