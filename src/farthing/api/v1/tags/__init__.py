"""Tags are words that mark transactions. A transaction may have any number of them."""
