"""Creates users, and checks or changes preferences and currencies together with what depends on them."""
