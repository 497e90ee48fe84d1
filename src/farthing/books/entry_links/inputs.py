"""Reads the bodies of links. Each API has types of its own for them."""

from typing import Any, Protocol

from farthing.kernel.parsed import Parsed, ensure
from farthing.storage.unit import Unit

from . import store
from .model import EntryLink, EntryLinkDraft, LinkType, LinkTypeDraft


class EntryLinkInput(Protocol):
    link_type_id: int | None
    link_type_name: str | None
    inward_id: int | None
    outward_id: int | None


def read_link(
    db: Unit,
    user_id: int,
    parsed: Parsed[EntryLinkInput],
    notes: str | None,
    *,
    stored: EntryLink | None,
    partial: bool,
) -> EntryLinkDraft:
    """Reads a link. `partial` keeps what was stored of the fields that were not sent; otherwise all are required."""
    kept, values = stored if partial else None, parsed.values
    if not kept:
        parsed.require("inward_id", "outward_id")
        parsed.require_either("link_type_id", "link_type_name")
    type_ = _find_type(db, user_id, parsed)
    ends = store.find_ends(db, user_id, {end for end in (values.inward_id, values.outward_id) if end})
    for name, split_id in (("inward_id", values.inward_id), ("outward_id", values.outward_id)):
        if split_id and split_id not in ends:
            parsed.report(name, f"The selected {parsed.label(name)} is invalid: there is no such transaction.")
    inward = ends.get(values.inward_id or 0) or (kept.inward if kept else None)
    outward = ends.get(values.outward_id or 0) or (kept.outward if kept else None)
    if inward and outward and inward.entry_id == outward.entry_id:
        parsed.report("outward_id", "A transaction cannot be linked to itself.")
    parsed.finish()
    type_id = type_.id if type_ else ensure(kept).type_id
    draft = EntryLinkDraft(type_id=type_id, inward=ensure(inward), outward=ensure(outward), notes=notes)
    if store.find_same(db, user_id, draft, except_id=stored.id if stored else 0):
        parsed.report("outward_id", "These transactions are already linked in this way.")
    parsed.finish()
    return draft


def _find_type(db: Unit, user_id: int, parsed: Parsed[EntryLinkInput]) -> LinkType | None:
    type_id, name = parsed.values.link_type_id, parsed.values.link_type_name
    if not type_id and not name:
        return None
    field = "link_type_id" if type_id else "link_type_name"
    found = store.get_type(db, user_id, type_id) if type_id else store.find_type(db, user_id, name or "")
    if found is None:
        parsed.report(field, f"The selected {parsed.label(field)} is invalid: there is no such link type.")
    return found


def read_type(
    db: Unit, user_id: int, parsed: Parsed[Any], draft: LinkTypeDraft, stored: LinkType | None
) -> LinkTypeDraft:
    """Checks that no other type has the name."""
    found = store.find_type(db, user_id, draft.name) if draft.name else None
    if found and found.id != (stored.id if stored else 0):
        parsed.report("name", "The name has already been taken by another link type.")
    parsed.finish()
    return draft
