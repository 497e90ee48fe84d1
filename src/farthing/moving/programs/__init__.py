"""Reads the files of other programs, and turns them into books and findings."""
