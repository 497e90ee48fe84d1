"""PostgreSQL: connections, and waiting for them without blocking the event loop."""
