"""What happened at one's doors: sign-ins and refusals, tokens, shares, exports; kept for 400 days."""
