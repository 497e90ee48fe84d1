"""Understands searches with operators, such as `category_is:Food -amount_more:20`."""
