"""What is a tag? A word that transactions are marked with; it may have a day and a place."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from ..errors import Problem

ZOOM_MAX = 80


@dataclass(frozen=True)
class Draft:
    name: str
    on: date | None
    description: str | None
    latitude: Decimal | None
    longitude: Decimal | None
    zoom_level: int | None


@dataclass(frozen=True)
class Tag:
    """`latitude` and `longitude` are plain decimals, as text."""

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
    return [Problem("tag", "The tag may not contain a comma: transactions name their tags with commas between.")]
