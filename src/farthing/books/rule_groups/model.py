"""Groups of rules."""

from msgspec import Struct

from ..rules.model import ORDER_MAX as ORDER_MAX


class RuleGroupDraft(Struct, frozen=True):
    title: str
    description: str | None
    active: bool
    order: int | None


class RuleGroup(Struct, frozen=True):
    id: int
    title: str
    description: str | None
    order: int
    active: bool
    created_at: str
    updated_at: str
