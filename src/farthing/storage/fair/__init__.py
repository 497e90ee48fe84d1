"""Shares threads, connections and time on the event loop fairly among users."""
