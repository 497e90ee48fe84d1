"""Reports where money goes and comes from over time, and the totals of any list of transactions."""
