"""Understands searches as a person types them, such as `coffee july >4`."""
