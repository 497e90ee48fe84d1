"""Serves links between transactions."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from farthing.books.entry_links import inputs, store
from farthing.books.entry_links.model import EntryLink, EntryLinkDraft
from farthing.books.transactions import lines
from farthing.http.answer.document import Page, Thing
from farthing.http.answer.includes import Related, registry
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.resources.lists import answer_page
from farthing.http.route import PAGED, Route
from farthing.kernel.fields import Id, Name, Notes, RequestBody, described, parse
from farthing.kernel.shown import Dated, show_as

from ..resources.lists import make_thing
from ..resources.resource import Resource
from ..serializers.transactions import along, as_relatives

_REQUIRED = ("inward_id", "outward_id")


class LinkBody(RequestBody):
    """Requires a type, by id or by name."""

    link_type_id: Id | None = None
    link_type_name: Name | None = described(
        "The name of the type (case-insensitive). Ignored if `link_type_id` is sent."
    )
    inward_id: Id | None = described("The id of the transaction at which the link begins.")
    outward_id: Id | None = described("The id of the transaction at which the link ends.")
    notes: Notes | None = None


class LinkAttributes(Dated, gc=False):
    """`inward` is how the first transaction describes the link, and `outward` how the second does."""

    link_type_id: int
    link_type_name: str
    inward: str
    outward: str
    inward_id: int
    outward_id: int
    notes: str | None


LinkThing = Thing[LinkAttributes]


def list_of_transaction(call: Call) -> Answer:
    end = or_404(store.find_ends(call.db, call.user_id, [call.id]).get(call.id))
    path = f"/transactions/{call.id}/links"
    return answer_page(call, path, store.page, _things, _INCLUDES, entry_id=end.entry_id)


def _transactions(call: Call, links: Sequence[EntryLink]) -> list[Related]:
    """Loads all splits of both transactions of each link."""
    entry_ids = [(link.inward.entry_id, link.outward.entry_id) for link in links]
    of_entry = defaultdict(list)
    for line in lines.of_entries(call.db, call.user_id, sorted({each for both in entry_ids for each in both})):
        of_entry[line.entry_id].append(line)
    return [as_relatives(call, of_entry[inward] + of_entry[outward]) for inward, outward in entry_ids]


_INCLUDES = registry(along(_transactions))


def _draft(call: Call, link: EntryLink | None) -> EntryLinkDraft:
    parsed = parse(LinkBody, call.fields)
    return inputs.read_link(call.db, call.user_id, parsed, parsed.values.notes, stored=link, partial=False)


def _things(call: Call, links: Iterable[EntryLink]) -> list[LinkThing]:
    return [make_thing(call, "transaction_links", link.id, _show(link)) for link in links]


def _show(link: EntryLink) -> LinkAttributes:
    return show_as(
        LinkAttributes,
        link,
        link_type_id=link.type_id,
        link_type_name=link.type_name,
        inward=link.type_inward,
        outward=link.type_outward,
        inward_id=link.inward.split_id,
        outward_id=link.outward.split_id,
    )


LINKS = Resource(
    path="/transaction_links",
    shows=LinkThing,
    things=_things,
    get=store.get,
    page=store.page,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, link, draft: store.change(call.db, call.user_id, link.id, draft, call.now),
    delete=lambda call, link: store.remove(call.db, call.user_id, link.id),
    takes=LinkBody,
    requires=_REQUIRED,
    includes=_INCLUDES,
)

ROUTES = (
    LINKS.index("List the links between transactions"),
    LINKS.create("Link two transactions"),
    LINKS.show("Show a link"),
    LINKS.change("Replace a link; omitted fields are cleared"),
    LINKS.remove("Delete a link; its transactions stay"),
    Route(
        "GET", "/transactions/{id}/links", list_of_transaction, "List the links of a transaction",
        gives=Page[LinkThing], parameters=PAGED, includes=_INCLUDES,
    ),
)  # fmt: skip
