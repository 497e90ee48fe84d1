"""Groups of bills and piggy banks have a title and an order."""
