"""Notices: what people want to know without looking."""
