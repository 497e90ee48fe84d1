"""Registers third-party apps, and authorizes what each may do."""
