"""Provides what all resources of version 6 share: envelopes, pages, points in time and partial changes."""
