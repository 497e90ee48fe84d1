"""Runs import jobs part by part, with a separate runner for each kind of import, and undoes imports."""
