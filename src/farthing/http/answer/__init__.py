"""Builds what goes out: documents, pages, ETags, errors."""
