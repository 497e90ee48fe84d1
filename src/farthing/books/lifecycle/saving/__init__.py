"""Adds, changes and removes piggy banks, and decides which accounts hold their money."""
