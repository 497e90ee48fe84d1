"""Makes the OpenAPI document from the routes, and serves its reference page."""
