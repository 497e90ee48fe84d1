"""A budget groups withdrawals, and its limits say how much may be spent in a period. Each split has at most one."""
