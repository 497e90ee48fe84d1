"""Reads Firefly III's CSV export, and an archive of everything that its API returns."""
