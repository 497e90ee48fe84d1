"""Turns stored objects into the JSON of answers, for objects that several resources show, such as transactions."""
