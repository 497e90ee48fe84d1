"""Signs users in with a password, and slows down those who guess."""
