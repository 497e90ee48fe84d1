"""Defines tags: words that mark transactions. A tag may have a date and a location."""

from datetime import date
from decimal import Decimal

from msgspec import Struct

from farthing.kernel.errors import Problem


class TagDraft(Struct, frozen=True):
    name: str
    on: date | None
    description: str | None
    latitude: Decimal | None
    longitude: Decimal | None
    zoom_level: int | None


class Tag(Struct, frozen=True):
    """`latitude` and `longitude` are decimal numbers stored as text."""

    id: int
    name: str
    on: str | None
    description: str | None
    latitude: str | None
    longitude: str | None
    zoom_level: int | None
    created_at: str
    updated_at: str


def name_problems(name: str | None) -> list[Problem]:
    if name is None or "," not in name:
        return []
    return [Problem("tag", "The tag may not contain a comma, because commas separate the tags of a transaction.")]
