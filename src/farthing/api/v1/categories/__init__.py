"""A category says what money was spent on or came from, one per split."""
