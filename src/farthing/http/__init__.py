"""Implements the mechanics of HTTP that all resources share. It knows no resource."""
