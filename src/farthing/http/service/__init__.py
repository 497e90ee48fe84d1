"""Serves the addresses beside the API: health checks, the web app, the sign-in callback."""
