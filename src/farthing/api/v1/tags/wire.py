"""Reads the bodies of tags."""

from decimal import Decimal
from typing import Annotated

from farthing.books.tags.model import ZOOM_MAX, TagDraft, name_problems
from farthing.kernel.fields import Day, Description, Name, RequestBody, decimal, whole
from farthing.kernel.parsed import Parsed, ensure

REQUIRED = ("tag",)


class TagBody(RequestBody):
    """Latitude and longitude require each other."""

    tag: Name | None = None
    date: Day | None = None
    description: Description | None = None
    latitude: Annotated[Decimal, decimal(minimum=-90, maximum=90)] | None = None
    longitude: Annotated[Decimal, decimal(minimum=-180, maximum=180)] | None = None
    zoom_level: Annotated[int, whole(minimum=0, maximum=ZOOM_MAX)] | None = None


def check(parsed: Parsed[TagBody]) -> None:
    parsed.require(*REQUIRED)
    parsed.report_all(name_problems(parsed.values.tag))
    for name, other in (("latitude", "longitude"), ("longitude", "latitude")):
        if parsed.absent(name) and not parsed.absent(other):
            parsed.report(name, f"The {name} field is required when {other} is present.")


def draft(parsed: Parsed[TagBody]) -> TagDraft:
    parsed.finish()
    values = parsed.values
    return TagDraft(
        name=ensure(values.tag),
        on=values.date,
        description=values.description,
        latitude=values.latitude,
        longitude=values.longitude,
        zoom_level=values.zoom_level,
    )
