"""Reads and shows tags."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated

from msgspec import Raw, Struct

from farthing.books.tags.model import Tag
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.fields import Description, Name, RequestBody, decimal, whole
from farthing.kernel.limits import ZOOM_MAX
from farthing.kernel.shown import Instant, Number, ShownDay

from ..parts.documents import make_thing
from ..parts.moments import Moment


class TagBody(RequestBody):
    """`latitude` and `longitude` must be sent together."""

    tag: Name | None = None
    date: Moment | None = None
    description: Description | None = None
    latitude: Annotated[Decimal, decimal(minimum=-90, maximum=90)] | None = None
    longitude: Annotated[Decimal, decimal(minimum=-180, maximum=180)] | None = None
    zoom_level: Annotated[int, whole(minimum=0, maximum=ZOOM_MAX)] | None = None


class TagAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    tag: str
    date: ShownDay | None
    description: str | None
    latitude: Number | None
    longitude: Number | None
    zoom_level: int | None


TagThing = Thing[TagAttributes]


def make_things(call: Call, tags: Sequence[Tag]) -> list[TagThing]:
    return [make_thing(call, "tags", tag.id, _show(tag)) for tag in tags]


def _show(tag: Tag) -> TagAttributes:
    return TagAttributes(
        created_at=tag.created_at,
        updated_at=tag.updated_at,
        tag=tag.name,
        date=tag.on,
        description=tag.description,
        latitude=Raw(tag.latitude.encode()) if tag.latitude else None,
        longitude=Raw(tag.longitude.encode()) if tag.longitude else None,
        zoom_level=tag.zoom_level,
    )
