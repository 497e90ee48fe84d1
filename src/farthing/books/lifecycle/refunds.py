"""Turns deposits into refunds, and links them to their purchases."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from farthing.kernel.text import fold
from farthing.storage.unit import Unit

from ..bookkeeping import record
from ..bookkeeping.lookup import look_up
from ..entry_links import store as entry_links
from ..entry_links.model import REFUND, EntryLinkDraft, LinkEnd
from ..rules.apply_changed import on_change_of_many
from ..transactions import drafts, lines, links
from ..transactions.model import SplitDraft


class AcceptedRefund(Struct, frozen=True):
    """A deposit that refunds a purchase. It gets the labels only if it has none of their kind."""

    refund: LinkEnd
    purchase: LinkEnd
    category_id: int | None
    budget_id: int | None
    tags: Sequence[str]


def accept(db: Unit, user_id: int, refunds: Sequence[AcceptedRefund], now: str) -> None:
    """Marks the splits as refunds, labels them, and links them to their purchases. Rules run as for other changes."""
    if not refunds:
        return
    by_entry = {refund.refund.entry_id: refund for refund in refunds}
    stored = lines.of_entries(db, user_id, sorted(by_entry))
    linked = links.of_entries(db, user_id, sorted(by_entry))
    references = drafts.request_references(stored, linked)
    new_tags = {fold(tag) for refund in refunds for tag in refund.tags}
    lookup = look_up(db, user_id, replace(references, tag_folds={*references.tag_folds, *new_tags}))
    maker = record.EntryMaker(db, user_id, lookup, now)
    for entry_id, of in groupby(stored, key=lambda line: line.entry_id):
        own = list(of)
        draft, marks = drafts.make_draft(own, linked[entry_id], lookup), _group(refunds, entry_id)
        splits = [_mark(split, marks.get(line.id)) for split, line in zip(draft.splits, own, strict=True)]
        tags = dict.fromkeys([*draft.tags, *(tag for refund in marks.values() for tag in refund.tags)])
        entry = maker.entry(replace(draft, splits=tuple(splits), tags=tuple(tags)))
        record.rewrite(db, user_id, entry_id, entry, now)
    # Two splits of a deposit may refund the same purchase. They need only one link.
    ends = {(refund.purchase.entry_id, refund.refund.entry_id): refund for refund in refunds}
    for refund in ends.values():
        entry_links.add(db, user_id, EntryLinkDraft(REFUND, refund.purchase, refund.refund, None), now)
    on_change_of_many(db, user_id, sorted(by_entry), now)


def _group(refunds: Sequence[AcceptedRefund], entry_id: int) -> Mapping[int, AcceptedRefund]:
    return {refund.refund.split_id: refund for refund in refunds if refund.refund.entry_id == entry_id}


def _mark(split: SplitDraft, refund: AcceptedRefund | None) -> SplitDraft:
    if refund is None:
        return split
    return replace(
        split,
        refund=True,
        category=split.category or refund.category_id,
        budget=split.budget or refund.budget_id,
    )
