"""Limits that the API, the settings and the command line share."""

# The highest id that either database gives out.
ID_MAX = 2**63 - 1
# The longest time that a setting or an option may name, a hundred years.
DAYS_MAX = 36_500
