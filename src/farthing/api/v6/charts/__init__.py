"""Serves charts as lists of data sets."""
