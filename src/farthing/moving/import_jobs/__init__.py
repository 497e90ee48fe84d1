"""Handles import jobs: examines files, previews what they would change, and stores the progress and the outcome."""
