"""Shows objects, by themselves and when others include them."""
