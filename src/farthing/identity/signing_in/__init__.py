"""Checks passwords at sign-in, and limits how often anybody can guess them."""
