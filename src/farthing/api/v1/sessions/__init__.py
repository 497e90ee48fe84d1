"""Signs users in and out, lists where they are signed in, and changes the password."""
