"""Defines why a transaction waits, and the groups of the inbox."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from farthing.books.transactions.model import Side


class InboxReason(StrEnum):
    """Why a transaction is in the inbox; `imported` are those that nobody has looked at since their import."""

    CATEGORY = "without_category"
    BUDGET = "without_budget"
    IMPORTED = "imported"


class InboxSplit(Struct, frozen=True):
    """A split with the account on its other side as the payee."""

    id: int
    type: int
    on: str
    description: str
    payee: Side


class InboxGroup(Struct, frozen=True):
    """The splits of one payee, newest first. For cash, they are grouped by the name in their text, without an id."""

    payee_id: int | None
    payee: str
    type: int
    splits: Sequence[InboxSplit]
    reasons: Mapping[int, Sequence[InboxReason]]


class Inbox(Struct, frozen=True):
    """`totals` counts everything that waits for each reason, also what no group lists."""

    groups: Sequence[InboxGroup]
    totals: Mapping[InboxReason, int]
    more: bool
