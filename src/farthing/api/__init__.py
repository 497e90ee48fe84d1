"""Serves other programs: `v1` and `v6` are versions 1 and 6 of the JSON API, and `oauth` issues tokens to apps."""
