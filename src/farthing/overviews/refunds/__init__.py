"""Finds the purchases to which refunds belong."""
