"""Serves version 6 of the API, which today's clients speak. Each resource has its own folder.

Both versions show the same data and follow the same rules; they differ only in form. Neither imports the other, and
what both need is in `http`, `books` and `overviews`.
"""
