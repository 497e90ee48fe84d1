"""Shows objects that several folders of version 6 list."""
