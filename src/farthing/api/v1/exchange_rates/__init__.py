"""What currencies are worth in each other: your own rates, published ones, and amounts converted with them."""
