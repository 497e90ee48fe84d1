"""Builds `docs/` into a static site, with reference pages that are written from the code: `make docs`."""
