"""The commands that move books in and out."""
