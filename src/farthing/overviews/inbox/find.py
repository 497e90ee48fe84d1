"""Finds the transactions in the inbox. Reads only the newest few thousand rows, however long the history is."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from farthing.books.currencies import store as currencies
from farthing.books.transactions.line_names import label_names, sides
from farthing.kernel.money import Money
from farthing.kernel.text import fold
from farthing.ledger.kinds import Kind, Type
from farthing.storage.change_log.records import values_by_id
from farthing.storage.drivers import dialects
from farthing.storage.unit import Unit

from ..suggestions import payees
from .model import Inbox, InboxGroup, InboxReason, InboxSplit

# At most this many splits are listed for each reason.
LISTED_MAX = 1000
# The number of newest withdrawals searched for a missing budget, and of newest imported rows searched for unseen ones.
_AMONG_MAX = 10_000


class _Waiting(Struct, frozen=True):
    """A split without names. Names are read separately, because PostgreSQL would read whole tables to join them."""

    id: int
    entry_id: int
    type: int
    on: str
    payee_id: int
    own_id: int
    units: int
    currency_id: int
    category_id: int | None


_SPLIT = """
SELECT id, entry_id, type, on_day AS "on", CASE type WHEN 2 THEN source_id ELSE destination_id END AS payee_id,
    CASE type WHEN 2 THEN destination_id ELSE source_id END AS own_id, units, currency_id, category_id
"""
_NEWEST_FIRST = "ORDER BY on_day DESC, entry_id DESC, position"
# The conditions must be written exactly as in the index `splits_without_category`, or it is not used.
_WITHOUT_CATEGORY = f"""
{_SPLIT} FROM splits WHERE user_id = :user_id AND category_id IS NULL AND type < 3 {_NEWEST_FIRST} LIMIT :most
"""
_WITHOUT_BUDGET = f"""
{_SPLIT} FROM (
    SELECT * FROM splits WHERE user_id = :user_id AND type = {int(Type.WITHDRAWAL)} {_NEWEST_FIRST} LIMIT :among
) AS newest WHERE budget_id IS NULL {_NEWEST_FIRST} LIMIT :most
"""
_OF_ENTRIES = f"{_SPLIT} FROM splits WHERE user_id = :user_id AND entry_id IN :ids AND position = 0"
_BROUGHT = (
    "SELECT id, job_id, entry_id, outcome FROM import_rows WHERE user_id = :user_id ORDER BY id DESC LIMIT :among"
)
# An imported transaction is unseen until it is edited, is given a suggested label or is marked as looked at.
_IS_UNSEEN = "x.user_id = :user_id AND x.id = brought.entry_id AND x.updated_at = x.created_at"
_IS_RECENT = "brought.job_id IN (SELECT id FROM import_jobs WHERE user_id = :user_id AND created_at >= :since)"
# Subtracts the number of splits with a label from the number of all splits. Both numbers come from stored counts.
_TOTAL = """
SELECT COALESCE((SELECT SUM(splits) FROM counts WHERE user_id = :user_id AND grain = 'all' AND type IN ({types})), 0)
    - COALESCE((
        SELECT SUM(k.splits) FROM {table} l JOIN sums_of_{table} k ON k.user_id = l.user_id AND k.label_id = l.id
            AND k.grain = 'all' AND k.type IN ({types})
        WHERE l.user_id = :user_id
    ), 0)
"""
_WITHOUT = {
    InboxReason.CATEGORY: (_WITHOUT_CATEGORY, _TOTAL.format(table="categories", types="1, 2")),
    InboxReason.BUDGET: (_WITHOUT_BUDGET, _TOTAL.format(table="budgets", types="1")),
}


def find(db: Unit, user_id: int, reasons: Collection[InboxReason], since: str, *, counts_only: bool = False) -> Inbox:
    """Finds the transactions that are in the inbox for these reasons. Ignores imports before `since`."""
    listed: dict[InboxReason, list[_Waiting]] = {}
    totals: dict[InboxReason, int] = {}
    for reason in reasons:
        if reason == InboxReason.IMPORTED:
            listed[reason], totals[reason] = _find_imported(db, user_id, since)
        else:
            listed[reason], totals[reason] = _find_without(db, user_id, reason)
    why: dict[int, list[InboxReason]] = defaultdict(list)
    for reason, waiting in listed.items():
        for split in waiting:
            why[split.id].append(reason)
    splits = {split.id: split for waiting in listed.values() for split in waiting}
    shown = [] if counts_only else sorted(splits.values(), key=_newest, reverse=True)
    named = _add_names(db, user_id, shown)
    more = any(len(waiting) < totals[reason] for reason, waiting in listed.items())
    return Inbox(groups=_group(named, why), totals=totals, waiting=len(splits), more=more)


def _find_without(db: Unit, user_id: int, reason: InboxReason) -> tuple[list[_Waiting], int]:
    newest, total = _WITHOUT[reason]
    among = {"among": _AMONG_MAX} if reason == InboxReason.BUDGET else {}
    counted = db.ask(total, user_id=user_id)
    waiting = db.structs(_Waiting, newest, user_id=user_id, most=LISTED_MAX, **among)
    return waiting, int(counted.rows()[0][0])


def _find_imported(db: Unit, user_id: int, since: str) -> tuple[list[_Waiting], int]:
    rows = db.all(_unseen(db), user_id=user_id, since=since, among=_AMONG_MAX)
    entry_ids = list(dict.fromkeys(entry_id for (entry_id,) in rows))
    if not entry_ids:
        return [], 0
    return db.structs(_Waiting, _OF_ENTRIES, user_id=user_id, ids=entry_ids[:LISTED_MAX]), len(entry_ids)


def _unseen(db: Unit) -> str:
    joined = dialects.join_in_order(db, "entries", "x", _IS_UNSEEN)
    wanted = f"brought.outcome = 'new' AND {_IS_RECENT}"
    return f"SELECT x.id FROM ({_BROUGHT}) AS brought {joined} AND {wanted} ORDER BY brought.id DESC"


def _add_names(db: Unit, user_id: int, waiting: Sequence[_Waiting]) -> list[InboxSplit]:
    if not waiting:
        return []
    entry_ids = {split.entry_id for split in waiting}
    texts = values_by_id(db, user_id, "entries", "description", entry_ids)
    accounts = sides(db, user_id, {id_ for split in waiting for id_ in (split.payee_id, split.own_id)})
    categories = label_names(db, user_id, "categories", {split.category_id for split in waiting})
    coins = currencies.by_ids(db, {split.currency_id for split in waiting})
    return [
        InboxSplit(
            id=split.id,
            type=split.type,
            on=split.on,
            description=texts[split.entry_id],
            payee=accounts[split.payee_id],
            own=accounts[split.own_id],
            amount=Money(units=split.units, currency=coins[split.currency_id]),
            category=categories[split.category_id].name if split.category_id else None,
        )
        for split in waiting
    ]


def _newest(split: _Waiting) -> tuple[str, int, int]:
    return split.on, split.entry_id, -split.id


def _group(splits: Sequence[InboxSplit], why: Mapping[int, list[InboxReason]]) -> list[InboxGroup]:
    """Groups splits by payee. Larger groups come first, and groups of the same size are sorted newest first."""
    groups: dict[tuple[int, str], list[InboxSplit]] = defaultdict(list)
    for split in splits:
        groups[split.type, fold(_name(split))].append(split)
    found = [
        InboxGroup(
            payee_id=None if of[0].payee.kind == Kind.CASH else of[0].payee.id,
            payee=_name(of[0]),
            type=of[0].type,
            splits=of,
            reasons={split.id: why[split.id] for split in of},
        )
        for of in groups.values()
    ]
    return sorted(found, key=lambda group: len(group.splits), reverse=True)


def _name(split: InboxSplit) -> str:
    return payees.clean(split.description) if split.payee.kind == Kind.CASH else split.payee.name
