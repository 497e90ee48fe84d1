"""A link type says how two linked transactions are related."""
