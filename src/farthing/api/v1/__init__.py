"""The contract's dialect."""
