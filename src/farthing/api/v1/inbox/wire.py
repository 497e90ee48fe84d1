"""Shows the inbox."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from pydantic import Field

from farthing.kernel.fields import Id, RequestBody, parse
from farthing.kernel.parsed import Parsed
from farthing.kernel.shown import Number, ShownDay, number
from farthing.ledger.kinds import Type
from farthing.overviews.inbox.model import Inbox, InboxGroup, InboxReason, InboxSplit

from ..resources.ids import separate
from ..serializers.currencies import InCurrency, currency_fields

SEEN_MAX = 1000


class SeenBody(RequestBody):
    ids: list[Id] | None = Field(
        None,
        description="The ids of up to 1000 transactions, as shown in lists. Send a list or comma-separated text.",
        json_schema_extra={"minItems": 1, "maxItems": SEEN_MAX},
    )


class WaitingShown(InCurrency, gc=False, kw_only=True):
    """Shows a transaction, and the reasons why it is in the inbox. The amount is positive."""

    transaction_id: str
    date: ShownDay
    description: str
    amount: Number
    account_id: str
    account_name: str
    category_name: str | None
    reasons: list[str]


class InboxGroupShown(Struct, gc=False):
    """Lists the transactions of one payee, newest first.

    For transactions without a payee, `payee_name` is taken from their description.
    """

    payee_id: str | None
    payee_name: str
    type: str
    count: int
    newest_date: ShownDay
    transactions: list[WaitingShown]


class InboxMeta(Struct, gc=False):
    """Counts the transactions for each reason. A count is null if the reason was not asked for.

    `waiting` counts the listed transactions once each, even if they have several reasons. `more` is true if some are
    not listed. For each reason, the newest 1000 are listed. Imported transactions are searched among the last 10,000
    imported rows of the last 90 days, and transactions without a budget among the newest 10,000 withdrawals.
    """

    without_category: int | None
    without_budget: int | None
    imported: int | None
    waiting: int
    more: bool


class InboxShown(Struct, gc=False):
    """Lists the groups, the largest first."""

    data: list[InboxGroupShown]
    meta: InboxMeta


class SeenShown(Struct, gc=False):
    looked_at: int


def read_seen(raw: Mapping[str, object]) -> Parsed[SeenBody]:
    return parse(SeenBody, separate(raw, most=SEEN_MAX))


def show(inbox: Inbox) -> InboxShown:
    meta = InboxMeta(
        without_category=inbox.totals.get(InboxReason.CATEGORY),
        without_budget=inbox.totals.get(InboxReason.BUDGET),
        imported=inbox.totals.get(InboxReason.IMPORTED),
        waiting=inbox.waiting,
        more=inbox.more,
    )
    return InboxShown([_show_group(group) for group in inbox.groups], meta)


def _show_group(group: InboxGroup) -> InboxGroupShown:
    return InboxGroupShown(
        payee_id=str(group.payee_id) if group.payee_id else None,
        payee_name=group.payee,
        type=Type(group.type).label,
        count=len(group.splits),
        newest_date=group.splits[0].on,
        transactions=[_show_split(split, group.reasons[split.id]) for split in group.splits],
    )


def _show_split(split: InboxSplit, reasons: Sequence[InboxReason]) -> WaitingShown:
    return WaitingShown(
        transaction_id=str(split.id),
        date=split.on,
        description=split.description,
        amount=number(split.amount.units, split.amount.currency.places),
        account_id=str(split.own.id),
        account_name=split.own.name,
        category_name=split.category,
        reasons=[*reasons],
        **currency_fields(split.amount.currency),
    )
