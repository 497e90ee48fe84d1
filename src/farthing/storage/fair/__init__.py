"""Shares what is scarce among users: threads, connections, and the turns of the event loop."""
