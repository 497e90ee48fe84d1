"""Words that transactions are marked with, as many as one likes."""
