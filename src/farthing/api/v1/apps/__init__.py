"""Apps of others: registering them, letting them in, and what each may do."""
