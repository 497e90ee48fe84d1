"""The demo household's story: who they are, and what they earn and spend."""

YEARS_MAX = 20
