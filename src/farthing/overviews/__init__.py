"""Answers questions that concern many transactions: search, suggestions, charts, summaries, upcoming payments."""
