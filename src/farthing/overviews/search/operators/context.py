"""Defines what operators need to know, and how they refuse a value."""

from datetime import date

from msgspec import Struct

from farthing.storage.unit import Unit


class Unreadable(ValueError):
    """The value of an operator cannot be read. The message says what would be right, as in `needs a day`."""


class Context(Struct, frozen=True):
    """Says who searches, and which day it is in their time zone."""

    db: Unit
    user_id: int
    today: date
    timezone: str


def refuse_blank(value: str) -> None:
    if not value.strip():
        raise Unreadable("needs a text")


def read_flag(value: str) -> bool:
    word = value.strip().lower()
    if word in ("", "1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off"):
        return False
    raise Unreadable("needs true or false")


def read_ids(value: str) -> list[int]:
    """Reads ids, separated by commas."""
    parts = [part.strip() for part in value.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) <= 18 for part in parts):
        raise Unreadable("needs one or more ids, separated by commas")
    return [int(part) for part in parts]
