"""Lists the currencies of the world, and those that the owner of this installation has added."""
