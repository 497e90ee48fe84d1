"""Users are the people who use this installation. The owner manages them."""
