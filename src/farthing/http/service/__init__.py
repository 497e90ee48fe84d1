"""Serves the addresses outside the API: health checks, the web app, the sign-in callback."""
