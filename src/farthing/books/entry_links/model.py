"""Defines links between transactions, and the types of these links."""

from msgspec import Struct

BUILT_IN_MAX = 4
"""The ids of the types that are built in are 1 to this number, in every installation."""
REFUND = 2
"""The id of the built-in type that leads from a purchase to its refund."""


class LinkTypeDraft(Struct, frozen=True):
    name: str
    inward: str
    outward: str


class LinkType(Struct, frozen=True):
    """A link type. `inward` and `outward` describe a link as its two transactions see it."""

    id: int
    name: str
    inward: str
    outward: str
    created_at: str
    updated_at: str

    @property
    def editable(self) -> bool:
        return self.id > BUILT_IN_MAX


class LinkEnd(Struct, frozen=True):
    """A transaction that is linked, and the split for which the link was made, or else its first split."""

    entry_id: int
    split_id: int


class EntryLinkDraft(Struct, frozen=True):
    type_id: int
    inward: LinkEnd
    outward: LinkEnd
    notes: str | None


class EntryLink(Struct, frozen=True):
    id: int
    type_id: int
    type_name: str
    type_inward: str
    type_outward: str
    inward: LinkEnd
    outward: LinkEnd
    notes: str | None
    created_at: str
    updated_at: str
