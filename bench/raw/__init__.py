"""Floor (b), the cost of the answer alone: plain SQL and msgspec in a plain process, without HTTP."""
