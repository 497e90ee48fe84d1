"""What is a group of rules?"""

from dataclasses import dataclass

from ..rules.model import ORDER_MAX as ORDER_MAX


@dataclass(frozen=True)
class Draft:
    title: str
    description: str | None
    active: bool
    order: int | None


@dataclass(frozen=True)
class RuleGroup:
    id: int
    title: str
    description: str | None
    order: int
    active: bool
    created_at: str
    updated_at: str
