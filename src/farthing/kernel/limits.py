"""Defines the limits that the API, the settings and the command line share."""

# The highest id that both databases can generate.
ID_MAX = 2**63 - 1
# The longest duration that a setting or option may have: a hundred years.
DAYS_MAX = 36_500
# The highest quotas. The first one is the number up to which JavaScript represents all integers exactly.
QUOTA_BYTES_MAX, QUOTA_REQUESTS_MAX = 2**53, 1_000_000
# How long texts may be, in characters: names and titles, descriptions, notes.
NAME_MAX, DESCRIPTION_MAX, NOTES_MAX = 255, 1024, 65_000
# The highest position that a list can be asked to give to an object.
ORDER_MAX = 1_000_000
# The closest zoom level of a map.
ZOOM_MAX = 80
