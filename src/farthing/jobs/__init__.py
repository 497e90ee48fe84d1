"""Runs the server's job process: recurrences, queued jobs, exchange rates, daily checks and deletion of old data."""
