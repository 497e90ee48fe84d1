"""The people who use this installation; the owner looks after them."""
