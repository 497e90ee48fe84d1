"""The checks of the doctor, one module for each kind of thing."""
