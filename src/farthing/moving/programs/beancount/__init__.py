"""Reads Beancount files."""
