"""Computes the figures of charts, period by period."""
