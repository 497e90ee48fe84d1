"""Money that moved: withdrawals, deposits and transfers, with one split or several."""
