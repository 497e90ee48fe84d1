"""Groups gather bills and piggy banks under a title."""
