"""Runs the handler of a request in a unit of work, on the event loop or in a thread."""
