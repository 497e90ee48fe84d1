"""The first minute of an installation: whoever has the link becomes its owner."""
