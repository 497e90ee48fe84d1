"""How does the API name what a tag is?"""

from decimal import Decimal
from typing import Annotated

from msgspec import Raw, Struct
from pydantic import BaseModel

from ..errors import Problem
from ..fields import Day, Description, Name, Parsed, decimal, required, whole
from ..labels.model import Sums
from ..labels.wire import SumShown, show_sums
from ..shown import Day as ShownDay
from ..shown import Instant, Number
from .model import ZOOM_MAX, Draft, Tag, name_problems

REQUIRED = ("tag",)


class TagBody(BaseModel):
    """Latitude and longitude come together."""

    tag: Name | None = None
    date: Day | None = None
    description: Description | None = None
    latitude: Annotated[Decimal, decimal(minimum=-90, maximum=90)] | None = None
    longitude: Annotated[Decimal, decimal(minimum=-180, maximum=180)] | None = None
    zoom_level: Annotated[int, whole(minimum=0, maximum=ZOOM_MAX)] | None = None


def problems(parsed: Parsed[TagBody]) -> list[Problem]:
    found = [*required(parsed, *REQUIRED), *name_problems(parsed.values.tag)]
    for one, other in (("latitude", "longitude"), ("longitude", "latitude")):
        if parsed.absent(one) and not parsed.absent(other):
            found.append(Problem(one, f"The {one} field is required when {other} is present."))
    return found


def draft(values: TagBody) -> Draft:
    """Of values without problems."""
    assert values.tag is not None
    return Draft(
        name=values.tag,
        on=values.date,
        description=values.description,
        latitude=values.latitude,
        longitude=values.longitude,
        zoom_level=values.zoom_level,
    )


class TagAttributes(Struct, gc=False):
    """`tag_mode` is there because clients know it."""

    updated_at: Instant
    created_at: Instant
    tag: str
    tag_mode: str | None
    date: ShownDay | None
    description: str | None
    latitude: Number | None
    longitude: Number | None
    zoom_level: int | None
    spent: list[SumShown]
    earned: list[SumShown]
    transactions_count: int


def show(tag: Tag, sums: Sums) -> TagAttributes:
    return TagAttributes(
        updated_at=tag.updated_at,
        created_at=tag.created_at,
        tag=tag.name,
        tag_mode=None,
        date=tag.on,
        description=tag.description,
        latitude=_number(tag.latitude),
        longitude=_number(tag.longitude),
        zoom_level=tag.zoom_level,
        spent=show_sums(sums.spent),
        earned=show_sums(sums.earned),
        transactions_count=sums.splits,
    )


def _number(text: str | None) -> Raw | None:
    return Raw(text.encode()) if text else None
