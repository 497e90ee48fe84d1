"""How does the API name what a label is?"""

from msgspec import Struct

from ..shown import Day, Instant, Number
from .model import Tag


class TagAttributes(Struct):
    """A tag is its name; the other members are there because clients know them."""

    updated_at: Instant
    created_at: Instant
    tag: str
    tag_mode: str | None = None
    date: Day | None = None
    description: str | None = None
    latitude: Number | None = None
    longitude: Number | None = None
    zoom_level: int | None = None


def show_tag(tag: Tag) -> TagAttributes:
    return TagAttributes(tag.updated_at, tag.created_at, tag.name)
