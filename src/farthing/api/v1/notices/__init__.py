"""Notices say what a user wants to know without looking, such as that a bill is due."""
