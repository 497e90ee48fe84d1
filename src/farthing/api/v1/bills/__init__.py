"""Bills are regular payments that are expected, and the transactions that pay them."""
