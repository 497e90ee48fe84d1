"""What every request passes first: addresses, health, the web app."""
