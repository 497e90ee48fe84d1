"""The audit records sign-ins and refusals, tokens, shares and exports, and is kept for 400 days."""
