"""The demo: invents the finances of a household and enters them into the books."""

YEARS_MAX = 20
