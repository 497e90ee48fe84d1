"""Sums up a range of days by label, from stored sums if they suffice, otherwise from the splits of the range."""

from collections import Counter, defaultdict

from msgspec import Struct

from farthing.ledger.kinds import Type
from farthing.storage.grains import HALVES, join_halves
from farthing.storage.unit import Unit

from ..reports.reading import amounts
from ..reports.reading.model import Amounts, Dimension, ReportQuestion
from .model import InsightBy, InsightFlow, InsightQuery, Sums, Units

_STORED = {
    InsightBy.ACCOUNT: Dimension.ACCOUNT,
    InsightBy.PAYEE: Dimension.PAYEE,
    InsightBy.CATEGORY: Dimension.CATEGORY,
    InsightBy.BUDGET: Dimension.BUDGET,
    InsightBy.TAG: Dimension.TAG,
}
_TYPES = {InsightFlow.EXPENSE: Type.WITHDRAWAL, InsightFlow.INCOME: Type.DEPOSIT}


def sum_by(db: Unit, user_id: int, query: InsightQuery, by: InsightBy) -> Sums:
    """Sums up by label. Transactions without a label are omitted, and those with several tags appear under each."""
    dimension, type_ = _STORED.get(by), _TYPES.get(query.flow)
    if dimension is None or type_ is None or (query.account_ids and by is not InsightBy.ACCOUNT):
        return _read(db, user_id, query, _PARTS[query.flow], _SOURCES[by])
    [labelled] = amounts.of_labels(db, user_id, ReportQuestion(), dimension, type_, [query.days])
    return {
        label_id: _add_up(of_label)
        for label_id, of_label in labelled.labels.items()
        if label_id is not None and (not query.account_ids or label_id in query.account_ids)
    }


def sum_all(db: Unit, user_id: int, query: InsightQuery) -> Units:
    type_ = _TYPES.get(query.flow)
    if type_ is None:
        return _join(_read(db, user_id, query, _PARTS[query.flow], _ALL))
    if query.account_ids:
        return _join(sum_by(db, user_id, query, InsightBy.ACCOUNT))
    [flows] = amounts.of_flows(db, user_id, ReportQuestion(), [query.days])
    return _add_up(flows[type_])


def sum_without(db: Unit, user_id: int, query: InsightQuery, by: InsightBy) -> Units:
    """Sums up the transactions without a label: all, less those that have one."""
    without = Counter(sum_all(db, user_id, query))
    if by is InsightBy.TAG:
        without.subtract(_join(_read(db, user_id, query, _PARTS[query.flow], _TAGGED)))
    else:
        without.subtract(_join(sum_by(db, user_id, query, by)))
    return without


def sum_transfers(db: Unit, user_id: int, query: InsightQuery) -> tuple[Sums, Sums]:
    """Returns what transfers brought to each own account, and what they took away."""
    arrived, left = (
        _read(db, user_id, query, (part,), _SOURCES[InsightBy.ACCOUNT]) for part in (_ARRIVED, *_PARTS[query.flow])
    )
    return arrived, left


def _add_up(of_label: Amounts) -> Units:
    return Counter({currency_id: sum(parts) for currency_id, parts in of_label.items()})


def _join(sums: Sums) -> Units:
    total = Units()
    for units in sums.values():
        total.update(units)
    return total


class _Part(Struct, frozen=True):
    """Selects splits that are summed with one sign. `account` is the column of the user's own account, and `payee` that
    of the other side. `side` tells which of the booked amounts is summed.
    """

    condition: str
    account: str
    payee: str
    side: str
    sign: int = 1


# The same rule as in `BookedSplit.flow`.
_PARTS = {
    InsightFlow.EXPENSE: (
        _Part("{plus}s.type = 1", "source_id", "destination_id", "left"),
        _Part("{plus}s.type = 2 AND s.refund = 1", "destination_id", "source_id", "arrived", -1),
    ),
    InsightFlow.INCOME: (_Part("{plus}s.type = 2 AND s.refund = 0", "destination_id", "source_id", "arrived"),),
    InsightFlow.TRANSFER: (_Part("{plus}s.type = 3", "source_id", "destination_id", "left"),),
}
_ARRIVED = _Part("{plus}s.type = 3", "destination_id", "source_id", "arrived")


class _Source(Struct, frozen=True):
    """Describes where splits are found, and the column of their label.

    If they are found by their entries, `plus` keeps SQLite from using the index of types.
    """

    label: str
    tables: str = "booked_splits s"
    condition: str = "s.on_day >= :start AND s.on_day <= :end"
    plus: str = ""


_ALL = _Source("0")
_IN_TAGS = """
    l.user_id = :user_id AND t.user_id = :user_id AND t.tag_id = l.id AND t.on_day >= :start AND t.on_day <= :end
"""
_TAGGED_IDS = f"SELECT t.entry_id FROM tags l CROSS JOIN entry_tags t WHERE {_IN_TAGS}"
_TAGGED = _Source("0", condition=f"s.entry_id IN ({_TAGGED_IDS})", plus="+")
_SOURCES = {
    InsightBy.ACCOUNT: _Source("s.{account}"),
    InsightBy.PAYEE: _Source("s.{payee}"),
    InsightBy.CATEGORY: _Source("s.category_id"),
    InsightBy.BUDGET: _Source("s.budget_id"),
    InsightBy.TAG: _Source(
        "t.tag_id",
        tables="tags l CROSS JOIN entry_tags t CROSS JOIN booked_splits s",
        condition=f"{_IN_TAGS} AND s.entry_id = t.entry_id",
        plus="+",
    ),
    InsightBy.BILL: _Source(
        "e.bill_id",
        tables="bills l CROSS JOIN entries e CROSS JOIN booked_splits s",
        condition="""
            l.user_id = :user_id AND e.user_id = :user_id AND e.bill_id = l.id
            AND e.on_day >= :start AND e.on_day <= :end AND s.entry_id = e.id
        """,
        plus="+",
    ),
}
# Own accounts are on one side only, except in transfers.
_OF_ACCOUNTS = "AND (+s.source_id IN :account_ids OR +s.destination_id IN :account_ids)"


def _read(db: Unit, user_id: int, query: InsightQuery, parts: tuple[_Part, ...], source: _Source) -> Sums:
    chosen: dict[str, object] = {"start": query.days.start.isoformat(), "end": query.days.end.isoformat()}
    if query.account_ids:
        chosen["account_ids"] = list(query.account_ids)
    statement = " UNION ALL ".join(_write(part, source, narrowed=bool(query.account_ids)) for part in parts)
    sums: Sums = defaultdict(Counter)
    for label_id, currency_id, sign, high, low in db.all(statement, user_id=user_id, **chosen):
        if label_id is not None:
            sums[label_id][currency_id] += sign * join_halves(high, low)
    return sums


def _write(part: _Part, source: _Source, *, narrowed: bool) -> str:
    label = source.label.format(account=part.account, payee=part.payee)
    return f"""
        SELECT {label}, s.{part.side}_currency_id, {part.sign}, {HALVES.format(column=f"s.{part.side}_units")}
        FROM {source.tables}
        WHERE s.user_id = :user_id AND {source.condition} AND {part.condition.format(plus=source.plus)}
        {_OF_ACCOUNTS if narrowed else ""} GROUP BY 1, 2
    """
