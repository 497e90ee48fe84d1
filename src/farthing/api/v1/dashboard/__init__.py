"""The dashboard: everything that the first page shows, in one answer."""
