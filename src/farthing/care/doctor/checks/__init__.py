"""Contains the checks of `farthing doctor`, with one module for each subject."""
