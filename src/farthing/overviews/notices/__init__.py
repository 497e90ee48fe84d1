"""Finds what people want to know without looking, such as bills that are due, and stores it as notices."""
