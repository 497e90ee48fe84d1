"""Makes backups while the server runs, and restores and verifies them."""
