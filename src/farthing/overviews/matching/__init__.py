"""Changes or deletes all transactions that match a filter. A job does this in small steps, logged as one change."""
