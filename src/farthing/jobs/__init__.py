"""What runs beside the server: firing recurrences, waiting jobs, exchange rates, daily checks and sweeping."""
