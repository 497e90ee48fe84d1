"""Shows objects that several resources of version 6 list."""
