"""Tags are words that mark transactions; a transaction may have any number of them."""
