"""Holds the parts that several commands share."""
