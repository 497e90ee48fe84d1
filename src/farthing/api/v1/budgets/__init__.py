"""Pots that withdrawals are paid from: one per split, with limits for a period."""
