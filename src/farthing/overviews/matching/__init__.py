"""What is done with all transactions that match a filter: by a job, part by part, as one change."""
