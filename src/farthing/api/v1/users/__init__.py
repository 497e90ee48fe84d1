"""Users are the people who use this installation; the owner manages them."""
