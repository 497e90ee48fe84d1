"""Measures how fast Farthing is, and how far from what is possible. Run it with `make bench`."""
