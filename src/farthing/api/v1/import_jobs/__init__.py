"""Import jobs: files of banks and of other programs on their way into the books."""
