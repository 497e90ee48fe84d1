"""Implements the mechanics of HTTP that all resources share. Contains nothing specific to one resource."""
