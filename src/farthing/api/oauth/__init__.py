"""The addresses of OAuth 2.0, as apps expect them: beside the API."""
