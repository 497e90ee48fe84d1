"""Runs the job process of the server: recurrences, waiting jobs, exchange rates, daily checks and sweeping."""
