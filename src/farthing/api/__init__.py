"""Serves other programs: `v1` is version 1 of the JSON API, and `oauth` issues tokens to apps."""
