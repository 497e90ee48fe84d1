"""Exchange rates: storing, finding, converting, fetching."""
