"""Reads the splits that match a filter, for questions that stored sums cannot answer. Refuses to read too many."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.transactions import booked
from farthing.books.transactions.counts import Book, LabelFilter, numbers, total
from farthing.books.transactions.stored_sums import sets
from farthing.kernel.errors import refuse_field
from farthing.kernel.money import PLACES_MAX, UNITS_MAX
from farthing.ledger.entry import BookedSplit, Label
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ...search import amounts as unit_ranges
from ...search import find as search
from ...search.narrowing import IN_FLOW, SearchFilter
from .model import ReportQuestion

# Reading this many splits takes half a second of CPU time, and less than two seconds on a slow or busy machine.
LOOKED_AT_MAX = 60_000
_TOO_MANY = (
    "This report would have to read more than {most} transactions. Choose a shorter range, "
    "a later start or fewer filters."
)
_BATCH = 2000


def read_splits(db: Unit, user_id: int, question: ReportQuestion) -> Iterator[tuple[int, BookedSplit]]:
    """Yields each matching split with the id of its entry. Does not read tags."""
    filters = question.filters
    others = _conditions(filters)
    most = LOOKED_AT_MAX // question.times
    if question.words:
        entry_ids = search.find_all(db, user_id, list(question.words), filters, looked_at_max=most)
        if entry_ids is None:
            refuse_field("start", _TOO_MANY.format(most=most))
        for batch in sets.batches(entry_ids, _BATCH):
            condition = _Condition("splits.entry_id IN :entry_ids", {"entry_ids": batch})
            yield from _read(db, user_id, [condition, *others.values()])
        return
    number, name, ways = _choose_way(db, user_id, filters)
    if number > most:
        refuse_field("start", _TOO_MANY.format(most=most))
    for way in ways:
        yield from _read(db, user_id, [_in_days(filters), way, *(sql for key, sql in others.items() if key != name)])


def read_refunds(db: Unit, user_id: int, question: ReportQuestion) -> list[BookedSplit]:
    """Reads the matching refunds, even if other types are requested. Refunds are few, and have their own index."""
    filters = question.filters
    conditions = [
        _Condition("splits.refund = 1"),
        _in_days(filters),
        *_conditions(replace(filters, types=frozenset(Type), flow=None)).values(),
    ]
    return [split for _, split in _read(db, user_id, conditions)]


class _Condition(Struct, frozen=True):
    sql: str
    parameters: dict[str, Any] = {}


def _read(db: Unit, user_id: int, conditions: list[_Condition]) -> list[tuple[int, BookedSplit]]:
    parameters = {name: value for condition in conditions for name, value in condition.parameters.items()}
    return booked.find(db, user_id, " AND ".join(condition.sql for condition in conditions), **parameters)


def _in_days(filters: SearchFilter) -> _Condition:
    days = filters.days
    return _Condition("splits.on_day >= :start AND splits.on_day <= :end", {"start": days.start, "end": days.end})


def _choose_way(db: Unit, user_id: int, filters: SearchFilter) -> tuple[int, str, list[_Condition]]:
    """Chooses the filter whose index finds the fewest splits on these days. Also returns how many splits that are."""
    book = Book(user_id, filters.types)
    ways = [(total(db, book, filters.days), "types", [_Condition(f"splits.type IN ({numbers(filters.types)})")])]
    if account_id := filters.account_id:
        sides = [
            _Condition(f"splits.{side} = :account_id", {"account_id": account_id})
            for side in ("source_id", "destination_id")
        ]
        of_account = replace(book, labelled=LabelFilter("accounts", account_id))
        ways.append((total(db, of_account, filters.days), "account_id", sides))
    if payee_ids := filters.payee_ids:
        sides = [
            _Condition(f"splits.{side} IN :payee_ids", {"payee_ids": list(payee_ids)})
            for side in ("source_id", "destination_id")
        ]
        books = (replace(book, labelled=LabelFilter("accounts", payee_id)) for payee_id in payee_ids)
        ways.append((sum(total(db, labelled, filters.days) for labelled in books), "payee_ids", sides))
    for label, (name, sql) in _LABELS.items():
        if value := getattr(filters, name):
            label_ids = value if isinstance(value, list) else [value]
            books = (replace(book, labelled=LabelFilter(label, label_id)) for label_id in label_ids)
            way = _Condition(sql, {name: value, **(_in_days(filters).parameters if label == "tags" else {})})
            ways.append((sum(total(db, labelled, filters.days) for labelled in books), name, [way]))
    if filters.bill_id:  # few transactions pay the same bill
        ways.append((0, "bill_id", [_Condition(_PAYING, {"bill_id": filters.bill_id})]))
    ranges = unit_ranges.list_ranges(db, filters.lowest, filters.highest) if filters.asks_amounts else []
    few = unit_ranges.count_few(db, user_id, ranges) if filters.asks_amounts else None
    if few is not None:
        ways.append((few, "units", [_Condition(*unit_ranges.make_condition(ranges))]))
    return min(ways, key=lambda way: way[0])


_LABELS: dict[Label, tuple[str, str]] = {
    "categories": ("category_ids", "splits.category_id IN :category_ids"),
    "budgets": ("budget_id", "splits.budget_id = :budget_id"),
    "tags": (
        "tag_id",
        """
        splits.entry_id IN (
            SELECT t.entry_id FROM entry_tags t
            WHERE t.user_id = :user_id AND t.tag_id = :tag_id AND t.on_day >= :start AND t.on_day <= :end
        )
        """,
    ),
}
_PAYING = "splits.entry_id IN (SELECT e.id FROM entries e WHERE e.user_id = :user_id AND e.bill_id = :bill_id)"
# The plus before a column keeps both databases from using its index instead of the chosen one.
_CONDITIONS = {
    "category_ids": "+splits.category_id IN :category_ids",
    "budget_id": "+splits.budget_id = :budget_id",
    "account_id": "(+splits.source_id = :account_id OR +splits.destination_id = :account_id)",
    "payee_ids": "(+splits.source_id IN :payee_ids OR +splits.destination_id IN :payee_ids)",
    "flow": IN_FLOW,
    "tag_id": """
        EXISTS (SELECT 1 FROM entry_tags t WHERE t.user_id = :user_id AND t.entry_id = splits.entry_id
            AND t.tag_id = :tag_id)
        """,
    "bill_id": """
        EXISTS (SELECT 1 FROM entries e WHERE e.user_id = :user_id AND e.id = splits.entry_id AND e.bill_id = :bill_id)
        """,
}


def _conditions(filters: SearchFilter) -> dict[str, _Condition]:
    """Returns the SQL condition of each filter that is set, by the filter's name."""
    conditions = {
        name: _Condition(sql, {name: value})
        for name, sql in _CONDITIONS.items()
        if (value := filters.of_split.get(name) or getattr(filters, name))
    }
    if filters.of_split.get("types"):
        conditions["types"] = _Condition(f"+splits.type IN ({numbers(filters.types)})")
    for label in ("category", "budget"):
        if filters.of_split.get(f"no_{label}"):
            conditions[f"no_{label}"] = _Condition(f"splits.{label}_id IS NULL")
    if filters.asks_amounts:
        conditions["amounts"] = _Condition(f"({_amounts(filters, '')} OR {_amounts(filters, 'foreign_')})")
    return conditions


def _amounts(filters: SearchFilter, prefix: str) -> str:
    """Writes a condition that limits an amount of each split, in units of the amount's currency."""
    bounds = []
    if filters.lowest is not None:
        bounds.append(f"splits.{prefix}units >= {_by_places(filters.lowest, is_lowest=True)}")
    if filters.highest is not None:
        bounds.append(f"splits.{prefix}units <= {_by_places(filters.highest, is_lowest=False)}")
    return f"""
    EXISTS (SELECT 1 FROM currencies c WHERE c.id = splits.{prefix}currency_id AND {" AND ".join(bounds)})
    """


def _by_places(amount: Decimal, *, is_lowest: bool) -> str:
    """Writes SQL that converts a limit to units, by the currency's decimal places, and rounds it inwards.

    A lower limit beyond 64 bits matches nothing.
    """
    number, parts = amount.as_integer_ratio()
    cases = []
    for places in range(PLACES_MAX + 1):
        scaled = number * 10**places
        units = -(-scaled // parts) if is_lowest else min(scaled // parts, UNITS_MAX)
        cases.append(f"WHEN {places} THEN {units if units <= UNITS_MAX else 'CAST(NULL AS BIGINT)'}")
    return f"CASE c.places {' '.join(cases)} END"
