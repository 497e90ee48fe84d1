"""Categories: what money was spent on, or where it came from."""

from msgspec import Struct


class Category(Struct, frozen=True):
    id: int
    name: str
    created_at: str
    updated_at: str
