"""The command line: runs the server and manages users, tokens and the database."""

import gc

# Garbage collection takes a tenth of the loading time and finds nothing. The server sets its own thresholds.
gc.set_threshold(100_000)
