"""Shows budgets month by month, with what each month was given, carried over, spent and has left."""
