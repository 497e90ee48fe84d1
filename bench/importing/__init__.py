"""Measures imports: against raw SQL, with rules and bills, in large books, and what others notice meanwhile."""
