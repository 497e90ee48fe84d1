"""Shows the objects of version 6 that the routes of several resources list or show."""
