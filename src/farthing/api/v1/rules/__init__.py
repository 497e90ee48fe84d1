"""What is done with a transaction by itself: when it looks like this, make it that."""
