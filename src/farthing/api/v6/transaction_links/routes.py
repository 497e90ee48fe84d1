"""Serves links between transactions."""

from farthing.books.entry_links import inputs, store
from farthing.books.entry_links.model import EntryLink, EntryLinkDraft
from farthing.http.answer.document import Page
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.resources.lists import answer_page
from farthing.http.route import PAGED, Route
from farthing.kernel.fields import Id, Name, Notes, RequestBody, described, parse

from ..objects.links import LinkThing, things
from ..parts.partial import over
from ..parts.resource import Resource


class LinkBody(RequestBody):
    """`inward_id` and `outward_id` are ids of splits (`transaction_journal_id`)."""

    link_type_id: Id | None = None
    link_type_name: Name | None = described("Ignored if `link_type_id` is sent.")
    inward_id: Id | None = None
    outward_id: Id | None = None
    notes: Notes | None = None


def list_of_split(call: Call) -> Answer:
    """Lists the links of the transaction to which a split belongs."""
    end = or_404(store.find_ends(call.db, call.user_id, [call.id]).get(call.id))
    path = f"/transaction-journals/{call.id}/links"
    return answer_page(call, path, store.page, things, entry_id=end.entry_id)


def _draft(call: Call, link: EntryLink | None) -> EntryLinkDraft:
    parsed = parse(LinkBody, call.fields)
    notes = over(parsed, "notes", link.notes if link else None)
    return inputs.read_link(call.db, call.user_id, parsed, notes, stored=link, partial=True)


_LINKS = Resource(
    path="/transaction-links",
    shows=LinkThing,
    things=things,
    get=store.get,
    page=store.page,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, link, draft: store.change(call.db, call.user_id, link.id, draft, call.now),
    delete=lambda call, link: store.remove(call.db, call.user_id, link.id),
    takes=LinkBody,
    requires=("link_type_id", "inward_id", "outward_id"),
)

ROUTES = (
    _LINKS.index("List the links between transactions"),
    _LINKS.create("Link two transactions"),
    _LINKS.show("Show a link"),
    _LINKS.change("Change a link; omitted fields are kept", requires=()),
    _LINKS.remove("Delete a link; its transactions stay"),
    Route(
        "GET", "/transaction-journals/{id}/links", list_of_split, "List the links of a transaction",
        gives=Page[LinkThing], parameters=PAGED,
    ),
)  # fmt: skip
