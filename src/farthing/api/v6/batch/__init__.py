"""The end of a series of requests, which importers announce."""
