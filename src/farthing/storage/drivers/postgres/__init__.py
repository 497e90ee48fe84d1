"""PostgreSQL: units of work, connections, and waiting for them without blocking the event loop."""
