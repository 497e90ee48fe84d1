"""The two databases behind one surface."""
