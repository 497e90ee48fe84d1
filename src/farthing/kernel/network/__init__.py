"""Requests to addresses that people name, and the networks they may come from or lead to."""
