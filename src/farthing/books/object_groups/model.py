"""Defines groups of bills and piggy banks. A group exists as long as it has members."""

from msgspec import Struct


class ObjectGroupDraft(Struct, frozen=True):
    """If `order` is None, an update keeps the stored order, and a new group is last."""

    title: str
    order: int | None = None


class ObjectGroup(Struct, frozen=True):
    id: int
    title: str
    order: int
    created_at: str
    updated_at: str
