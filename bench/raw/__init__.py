"""What would the answer alone cost? Floor (b): plain SQL and msgspec in a plain process, without HTTP."""
