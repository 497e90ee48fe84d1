"""Builds answers: documents, pages, ETags, errors."""
