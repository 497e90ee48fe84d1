"""How objects are shown, by themselves and when others include them."""
