"""Contains what all checks use: findings, functions that run a check, and the comparison of sums."""
