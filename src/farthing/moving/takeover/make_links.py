"""Creates links between transactions, and the types of these links, after the transactions are booked."""

from collections.abc import Sequence

from farthing.books.entry_links import store
from farthing.books.entry_links.model import EntryLinkDraft, LinkEnd, LinkTypeDraft
from farthing.kernel.limits import NAME_MAX
from farthing.kernel.text import in_one_line

from ..rows import imported_rows
from ..source_books import SourceBooks, SourceLink, SourceLinkEnd, SourceLinkType
from .fitting import Unfitting, as_notes
from .make_objects import Made, ObjectMaker, ObjectTask, TakeoverContext
from .targets import NO_ACCOUNT, key_of


def list_tasks(books: SourceBooks) -> list[ObjectTask]:
    return [
        *(ObjectTask("link_types", type_.key, type_) for type_ in books.link_types),
        *(ObjectTask("entry_links", link.key, (books.program, link)) for link in books.entry_links),
    ]


def _make_type(context: TakeoverContext, type_: SourceLinkType) -> Made:
    name = in_one_line(type_.name)
    existing = store.find_type(context.db, context.user_id, name)
    if existing:
        return Made(existing.id, is_made=False)
    inward, outward = (in_one_line(text, NAME_MAX) or name for text in (type_.inward, type_.outward))
    draft = LinkTypeDraft(name=name, inward=inward, outward=outward)
    return Made(store.add_type(context.db, context.user_id, draft, context.now), is_made=True)


def _make_link(context: TakeoverContext, of_program: tuple[str, SourceLink]) -> Made:
    program, link = of_program
    type_id = context.find("link_types", link.type)
    if type_id is None:
        raise Unfitting("its type is missing.")
    keys = {end: key_of(program, end.transaction) for end in (link.inward, link.outward)}
    ends = imported_rows.find_ends(context.db, context.user_id, NO_ACCOUNT, list(keys.values()))
    inward, outward = (_choose(end, ends.get(keys[end], ())) for end in (link.inward, link.outward))
    if inward.entry_id == outward.entry_id:
        raise Unfitting("both of its transactions are the same.")
    draft = EntryLinkDraft(type_id=type_id, inward=inward, outward=outward, notes=as_notes(link.notes))
    existing = store.find_same(context.db, context.user_id, draft)
    if existing:
        return Made(existing, is_made=False)
    return Made(store.add(context.db, context.user_id, draft, context.now), is_made=True)


def _choose(end: SourceLinkEnd, splits: Sequence[LinkEnd]) -> LinkEnd:
    """Chooses the split of the same position, or the first one if the transaction was booked with other splits."""
    if not splits:
        raise Unfitting("one of its transactions is missing.")
    return splits[end.split if len(splits) == end.splits else 0]


MAKERS: dict[str, ObjectMaker] = {"link_types": _make_type, "entry_links": _make_link}
