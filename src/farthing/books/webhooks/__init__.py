"""Sends changes to other programs: webhooks, their messages and what the receivers answered."""
