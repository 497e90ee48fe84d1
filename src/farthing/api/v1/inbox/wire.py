"""Shows the inbox."""

from collections.abc import Mapping

from msgspec import Struct
from pydantic import Field

from farthing.kernel.fields import Id, RequestBody, parse
from farthing.kernel.parsed import Parsed
from farthing.kernel.shown import ShownDay
from farthing.ledger.kinds import Type
from farthing.overviews.inbox.model import Inbox, InboxGroup, InboxReason

from ..resources.ids import separate

SEEN_MAX = 1000


class SeenBody(RequestBody):
    ids: list[Id] | None = Field(
        None,
        description="The ids of up to 1000 transactions, as lists show them, as a list or comma-separated.",
        json_schema_extra={"minItems": 1, "maxItems": SEEN_MAX},
    )


class WaitingShown(Struct, gc=False):
    """A transaction and why it is in the inbox."""

    transaction_id: str
    date: ShownDay
    description: str
    reasons: list[str]


class InboxGroupShown(Struct, gc=False):
    """The transactions of a payee that wait, newest first. Without a payee, `payee_name` is a part of their text."""

    payee_id: str | None
    payee_name: str
    type: str
    count: int
    newest_date: ShownDay
    transactions: list[WaitingShown]


class InboxMeta(Struct, gc=False):
    """Counts what waits for each reason, null if it was not asked for. `more` says that not all of it is listed.

    Of each reason, the newest 1000 are listed; imported ones are looked for among the last 10,000 rows of the last 90
    days, and those without a budget among the newest 10,000 withdrawals.
    """

    without_category: int | None
    without_budget: int | None
    imported: int | None
    more: bool


class InboxShown(Struct, gc=False):
    """Has the largest group first."""

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
        transactions=[
            WaitingShown(str(split.id), split.on, split.description, [*group.reasons[split.id]])
            for split in group.splits
        ],
    )
