"""Rules that belong together, and in which order they run."""
