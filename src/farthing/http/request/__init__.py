"""What comes in: bodies, queries, cookies, proxies."""
