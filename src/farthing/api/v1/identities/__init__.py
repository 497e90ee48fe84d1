"""The providers' users that are linked with a user: to sign in as well as with the password."""
