"""How is the service doing? Counters of requests, who is there, what waits, and what was last examined."""
