"""Reads the CSV files of YNAB, Mint and Lunch Money."""
