"""Preferences are the settings of a user, such as page size, currency and time zone. Every user has all of them."""
