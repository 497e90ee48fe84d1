"""Answers schedulers, which other servers need to run their regular jobs."""
