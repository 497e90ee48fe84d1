"""Holds what the checks share: findings, running a check, and comparing sums."""
