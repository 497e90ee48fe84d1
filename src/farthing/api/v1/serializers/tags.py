"""Shows tags, by themselves and with transactions."""

from collections.abc import Iterable

from farthing.books.labels.model import Sums
from farthing.books.tags.model import Tag
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.shown import Dated, Number, ShownDay, exact, show_as

from ..resources.lists import make_thing
from .labels import SumShown, show_sums, sums_of


class TagAttributes(Dated, gc=False):
    """`tag_mode` is always null. It exists because clients expect the field."""

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
    return show_as(
        TagAttributes,
        tag,
        tag=tag.name,
        tag_mode=None,
        date=tag.on,
        latitude=exact(tag.latitude),
        longitude=exact(tag.longitude),
        spent=show_sums(sums.spent),
        earned=show_sums(sums.earned),
        transactions_count=sums.splits,
    )


TagThing = Thing[TagAttributes]


def things(call: Call, tags: Iterable[Tag]) -> dict[int, TagThing]:
    """Shows each tag once, however often it is used. Returns the tags by their ids."""
    by_id = {tag.id: tag for tag in tags}
    sums = sums_of(call, "tags", list(by_id))
    return {tag_id: make_thing(call, "tags", tag_id, show(tag, sums[tag_id])) for tag_id, tag in by_id.items()}
