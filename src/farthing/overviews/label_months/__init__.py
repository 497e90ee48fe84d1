"""What was spent and earned month by month: under a category or a tag, or with a payee."""
