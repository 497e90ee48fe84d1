"""A summary: what a range of days comes to, in a handful of figures for each currency."""
