"""Turns stored objects into the JSON of answers, for objects that several nouns show, such as transactions."""
