"""A budget groups withdrawals, and can limit what is spent in a period. Each split has at most one budget."""
