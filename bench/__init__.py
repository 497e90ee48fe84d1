"""How fast is Farthing, and how far from what is possible? Run it with `make bench`."""
