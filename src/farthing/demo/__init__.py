"""What does a real household look like in the books? A story told from a seed, and its way into them."""

YEARS_MAX = 20
