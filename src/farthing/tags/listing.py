"""How are tags answered? The same by themselves and along with transactions."""

from collections.abc import Iterable

from ..http.call import Call
from ..http.document import Thing, thing
from ..labels.listing import sums_of
from . import wire
from .model import Tag

TagThing = Thing[wire.TagAttributes]


def things(call: Call, tags: Iterable[Tag]) -> dict[int, TagThing]:
    """By id: each tag once, however often it is named."""
    by_id = {one.id: one for one in tags}
    sums = sums_of(call, "tags", list(by_id))
    return {
        tag_id: thing(call.base, "tags", tag_id, wire.show(one, sums[tag_id]), uri=f"/tags/{tag_id}")
        for tag_id, one in by_id.items()
    }
