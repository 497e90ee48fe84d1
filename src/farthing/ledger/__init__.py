"""Double entry: kinds of accounts, entries and splits, and what they add to sums. Pure."""
