"""Registers third-party apps, and lets users authorize what each app may do."""
