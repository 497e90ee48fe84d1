"""Second factors."""
