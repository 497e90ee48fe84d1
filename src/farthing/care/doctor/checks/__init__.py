"""Holds the checks of the doctor, one module for each subject."""
