"""Changes or deletes all transactions that match a filter: in a job, part by part, as one change."""
