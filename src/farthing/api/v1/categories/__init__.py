"""What money was spent on, or came from: one per split."""
