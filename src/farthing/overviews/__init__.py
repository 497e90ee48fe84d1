"""Questions over many transactions: search, suggestions, charts, a summary, what is due."""
