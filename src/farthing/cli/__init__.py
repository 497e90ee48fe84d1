"""The command line: runs the server and manages users, tokens and the database."""

import gc

# While modules are loaded, looking for garbage finds none and takes a tenth of the time; the server sets its own.
gc.set_threshold(100_000)
