"""Serves users. The owner manages all of them, and everybody else sees only themselves."""
