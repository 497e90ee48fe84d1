"""Sets up a new installation: the first user with the printed link becomes its owner."""
