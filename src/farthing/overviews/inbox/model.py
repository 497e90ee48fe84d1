"""Defines the inbox, its groups, and the reasons for which a transaction is listed there."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from farthing.books.transactions.model import Side
from farthing.kernel.money import Money


class InboxReason(StrEnum):
    """Says why a transaction is in the inbox. `IMPORTED` means that nobody has looked at it since its import."""

    CATEGORY = "without_category"
    BUDGET = "without_budget"
    IMPORTED = "imported"


class InboxSplit(Struct, frozen=True):
    """A split with the user's account as `own` and the account on its other side as the payee."""

    id: int
    type: int
    on: str
    description: str
    payee: Side
    own: Side
    amount: Money
    category: str | None


class InboxGroup(Struct, frozen=True):
    """The splits of one payee, newest first. Cash payments are grouped by the name in their text."""

    payee_id: int | None
    payee: str
    type: int
    splits: Sequence[InboxSplit]
    reasons: Mapping[int, Sequence[InboxReason]]


class Inbox(Struct, frozen=True):
    """`totals` is the number of transactions for each reason, including transactions that are not in any group.

    `waiting` is the number of listed transactions, each counted once.
    """

    groups: Sequence[InboxGroup]
    totals: Mapping[InboxReason, int]
    waiting: int
    more: bool
