"""Changes or deletes all transactions that match a filter. A job does this part by part, logged as one change."""
