"""Commands about what people may do, and what they did: shared books and the audit."""
