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
        description="The ids of up to 1000 transactions, as shown in lists. Send a list or comma-separated text.",
        json_schema_extra={"minItems": 1, "maxItems": SEEN_MAX},
    )


class WaitingShown(Struct, gc=False):
    """Shows a transaction, and the reasons why it is in the inbox."""

    transaction_id: str
    date: ShownDay
    description: str
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

    `more` is true if some of these transactions are not listed. For each reason, the newest 1000 are listed. Imported
    transactions are searched among the last 10,000 imported rows of the last 90 days, and transactions without a budget
    among the newest 10,000 withdrawals.
    """

    without_category: int | None
    without_budget: int | None
    imported: int | None
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
