"""The domain: a household's records, how they are stored, and what happens when money moves. It is unaware of HTTP."""
