"""The OpenAPI document, made from the routes, and its reference page."""
