"""Provides metrics, finds running processes, and stores the results of checkups."""
