"""The domain: what a household keeps, how it is stored, and what happens when money moves. It knows no HTTP."""
