"""What each user has chosen: page size, currency, time zone and the like. Every user has all of them."""
