"""Serves currencies. Everybody may read them; only the owner may create, change and delete them."""
