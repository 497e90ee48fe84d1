"""Puts into notes what has no field of its own here."""

from collections.abc import Iterable, Iterator

from .fields import ItemFields


def join_notes(notes: str | None, lines: Iterable[str]) -> str | None:
    """Joins the person's own words with a line for each further detail."""
    added = "\n".join(lines)
    return "\n\n".join(text for text in (notes, added) if text) or None


def location(fields: ItemFields) -> Iterator[str]:
    latitude, longitude = fields.text("latitude"), fields.text("longitude")
    if latitude and longitude:
        zoom = fields.text("zoom_level")
        yield f"Location: {latitude}, {longitude}" + (f" (zoom {zoom})" if zoom else "")
