"""Answers callers that run jobs at regular times on other servers."""
