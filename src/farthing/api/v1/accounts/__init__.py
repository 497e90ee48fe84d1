"""Where money lies, comes from and goes to: assets, liabilities, and the other sides of payments."""
