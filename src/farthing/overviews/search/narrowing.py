"""Filters a list of transactions by labels, accounts, bills, types, days and amounts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cached_property, partial
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from farthing.books.currencies import store as currencies
from farthing.books.transactions.counts import Book, Days, LabelFilter, total
from farthing.ledger.entry import Label
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from . import amounts
from .amounts import UnitRange
from .conditions import Conditions, Way, read_entries
from .streams import Candidate, StreamSource, of_account, of_types

# A refund belongs to the spending, as in `BookedSplit.flow`.
IN_FLOW = f"CASE WHEN refund = 1 THEN {Type.WITHDRAWAL:d} ELSE type END = :flow"
_CONDITIONS = {
    "category_ids": "category_id IN :category_ids",
    "budget_id": "budget_id = :budget_id",
    "account_id": "(source_id = :account_id OR destination_id = :account_id)",
    "payee_ids": "(source_id IN :payee_ids OR destination_id IN :payee_ids)",
    "types": "type IN :types",
    "flow": IN_FLOW,
    "no_category": "category_id IS NULL",
    "no_budget": "budget_id IS NULL",
}


class SearchFilter(Struct, frozen=True, dict=True):
    """All conditions must hold for the same split. Its tags and its bill are those of its transaction.

    `lowest` and `highest` limit the split's amount or its foreign amount, each in its own currency. `child_ids` are the
    sub-categories of `category_id`, which match as well. `payee_ids` are the accounts of one payee. `flow` selects what
    reports sum up: what was spent, less refunds, or what was earned.
    """

    types: frozenset[Type] = frozenset(Type)
    days: Days = field(default_factory=Days)
    account_id: int | None = None
    category_id: int | None = None
    child_ids: tuple[int, ...] = ()
    budget_id: int | None = None
    tag_id: int | None = None
    bill_id: int | None = None
    lowest: Decimal | None = None
    highest: Decimal | None = None
    no_budget: bool = False
    no_category: bool = False
    payee_ids: tuple[int, ...] = ()
    flow: Type | None = None

    @property
    def also(self) -> Conditions | None:
        """Returns the conditions of operators, which only `OperatorFilter` has."""
        return None

    @cached_property
    def of_split(self) -> dict[str, Any]:
        """Returns the conditions on a split, except for amounts, as parameters of `_CONDITIONS`."""
        conditions = {
            "category_ids": self.category_ids or None,
            "budget_id": self.budget_id,
            "account_id": self.account_id,
            "payee_ids": list(self.payee_ids) or None,
            "types": None if self.types == frozenset(Type) else sorted(map(int, self.types)),
            "flow": None if self.flow is None else int(self.flow),
            "no_category": True if self.no_category else None,
            "no_budget": True if self.no_budget else None,
        }
        return {name: value for name, value in conditions.items() if value is not None}

    @property
    def category_ids(self) -> list[int]:
        return [] if self.category_id is None else [self.category_id, *self.child_ids]

    @property
    def asks_amounts(self) -> bool:
        return self.lowest is not None or self.highest is not None

    @property
    def is_any(self) -> bool:
        """Tells whether the filter has no conditions, or only days."""
        return self == SearchFilter(days=self.days)

    def holds(self, amounts: Sequence[tuple[int | None, int | None]]) -> bool:
        """Tells whether one of the amounts, each as units and decimal places, is within the limits."""
        return any(
            (self.lowest is None or units >= self.lowest.scaleb(places))
            and (self.highest is None or units <= self.highest.scaleb(places))
            for units, places in amounts
            if units is not None and places is not None
        )


class OperatorFilter(SearchFilter, frozen=True, kw_only=True, dict=True):
    """Adds the conditions of operators to a filter. Unlike other filters, it is never stored with a job.

    If `is_span`, all transactions on its days, of its types and of its account or label match.
    """

    conditions: Conditions
    labelled: LabelFilter | None = None
    is_span: bool = False

    @property
    def also(self) -> Conditions:
        return self.conditions


class ScanPlan(Struct, frozen=True):
    """A plan to find the matching entries. `rest` holds the conditions that must still be checked for each entry.

    `number` estimates how many entries have to be read. The plan reads `sources`, newest first, or, if there are only
    a few candidates, all of them at once with `read`. If `is_whole`, the search does not stop before the last entry.
    """

    number: int
    sources: Sequence[StreamSource]
    rest: SearchFilter
    read: Callable[[Days], list[Candidate]] | None = None
    is_whole: bool = False


def list_scan_plans(db: Unit, user_id: int, filters: SearchFilter) -> list[ScanPlan]:
    """Lists all possible plans to find the entries. The estimates are based on stored counts."""
    book = Book(user_id, filters.types)
    ranges = amounts.list_ranges(db, filters.lowest, filters.highest) if filters.asks_amounts else None
    plan = partial(_plan_by_split, filters, ranges)
    plans = [plan(_number(db, book), of_types(sorted(filters.types)), types=frozenset(Type))]
    if filters.account_id:
        number = _number(db, replace(book, labelled=LabelFilter("accounts", filters.account_id)))
        plans.append(plan(number, of_account(filters.account_id), account_id=None))
    if payee_ids := filters.payee_ids:
        number = sum(_number(db, replace(book, labelled=LabelFilter("accounts", payee_id))) for payee_id in payee_ids)
        plans.append(plan(number, [side for payee_id in payee_ids for side in of_account(payee_id)], payee_ids=()))
    for label, column, label_ids in _labels_of_splits(filters):
        number = sum(_number(db, replace(book, labelled=LabelFilter(label, label_id))) for label_id in label_ids)
        sources = [StreamSource(table="splits", column=column, value=label_id) for label_id in label_ids]
        plans.append(plan(number, sources, **{column: None}))
    if filters.tag_id:
        number = _number(db, replace(book, labelled=LabelFilter("tags", filters.tag_id)))
        tagged = StreamSource(table="entry_tags", column="tag_id", value=filters.tag_id)
        plans.append(ScanPlan(number=number, sources=[tagged], rest=replace(filters, tag_id=None)))
    if filters.bill_id:  # few transactions pay the same bill
        paying = StreamSource(table="entries", column="bill_id", value=filters.bill_id, entry="id")
        plans.append(ScanPlan(number=0, sources=[paying], rest=replace(filters, bill_id=None)))
    few = amounts.count_few(db, user_id, ranges) if ranges is not None else None
    if few is not None:
        read = partial(amounts.read, db, user_id, ranges or [])
        plans.append(ScanPlan(number=few, sources=[], rest=filters, read=read))
    if filters.also:
        plans += [_plan_way(db, user_id, filters, way, plan) for way in filters.also.find_ways(db, user_id)]
    return plans


def _plan_way(
    db: Unit, user_id: int, filters: SearchFilter, way: Way, plan: Callable[[int, Sequence[StreamSource]], ScanPlan]
) -> ScanPlan:
    if way.entry_ids is not None:
        read = partial(read_entries, db, user_id, way.entry_ids)
        return ScanPlan(number=way.number, sources=(), rest=filters, read=read, is_whole=way.is_whole)
    if all(source.table == "splits" for source in way.sources):
        return replace(plan(way.number, way.sources), is_whole=way.is_whole)
    return ScanPlan(number=way.number, sources=way.sources, rest=filters, is_whole=way.is_whole)


def _labels_of_splits(filters: SearchFilter) -> Iterator[tuple[Label, str, list[int]]]:
    if filters.category_ids:
        yield "categories", "category_id", filters.category_ids
    if filters.budget_id:
        yield "budgets", "budget_id", [filters.budget_id]


def _plan_by_split(
    filters: SearchFilter, ranges: list[UnitRange] | None, number: int, sources: Sequence[StreamSource], **found_by: Any
) -> ScanPlan:
    """Makes a plan that checks conditions on splits in SQL. Exact amounts, tags, bills and texts are checked later."""
    of_split = replace(filters, **found_by).of_split
    conditions, parameters = [_CONDITIONS[name] for name in of_split], dict(of_split)
    rest = SearchFilter(tag_id=filters.tag_id, bill_id=filters.bill_id)
    if ranges is not None:
        condition, bounds = amounts.make_condition(ranges)
        conditions.append(condition)
        parameters |= bounds
        rest = filters
    if filters.also:
        conditions.append(filters.also.sql)
        parameters |= filters.also.parameters
        rest = filters if filters.also.reads_texts else rest
    narrowed = [replace(source, condition=" AND ".join(conditions), parameters=parameters) for source in sources]
    return ScanPlan(number=number, sources=narrowed, rest=rest)


def _number(db: Unit, book: Book) -> int:
    return total(db, book, Days())


def select_passing(db: Unit, user_id: int, filters: SearchFilter, entry_ids: list[int]) -> set[int]:
    """Selects the entries that pass the filter."""
    passing = set(entry_ids)
    if filters.tag_id:
        passing &= _ids(db, _TAGGED, user_id=user_id, entry_ids=sorted(passing), wanted=filters.tag_id)
    if filters.bill_id:
        passing &= _ids(db, _BILLED, user_id=user_id, entry_ids=sorted(passing), wanted=filters.bill_id)
    if filters.of_split or filters.asks_amounts or filters.also:
        passing &= _by_split(db, user_id, filters, sorted(passing))
    return passing


_TAGGED = "SELECT entry_id FROM entry_tags WHERE user_id = :user_id AND entry_id IN :entry_ids AND tag_id = :wanted"
_BILLED = "SELECT id FROM entries WHERE user_id = :user_id AND id IN :entry_ids AND bill_id = :wanted"


def _ids(db: Unit, statement: str, **parameters: Any) -> set[int]:
    return {entry_id for (entry_id,) in db.all(statement, **parameters)}


def _by_split(db: Unit, user_id: int, filters: SearchFilter, entry_ids: list[int]) -> set[int]:
    return {entry_id for entry_id, _ in _passing_splits(db, user_id, filters, entry_ids)}


def find_splits(db: Unit, user_id: int, filters: SearchFilter, entry_ids: list[int]) -> list[int]:
    """Finds the splits of these entries that meet all conditions. Without conditions on splits, returns all of them."""
    return [split_id for _, split_id in _passing_splits(db, user_id, filters, entry_ids)]


def _passing_splits(db: Unit, user_id: int, filters: SearchFilter, entry_ids: list[int]) -> Iterable[tuple[int, int]]:
    fitting = filters.also.select(db, user_id, entry_ids) if filters.also else set()
    if filters.also and not filters.of_split and not filters.asks_amounts:
        return fitting
    conditions = "".join(f" AND {_CONDITIONS[name]}" for name in filters.of_split)
    rows = db.all(
        f"""
        SELECT entry_id, id, units, currency_id, foreign_units, foreign_currency_id FROM splits
        WHERE user_id = :user_id AND entry_id IN :entry_ids{conditions}
        """,
        user_id=user_id,
        entry_ids=entry_ids,
        **filters.of_split,
    )
    if filters.also:
        rows = [row for row in rows if row[:2] in fitting]
    if not filters.asks_amounts:
        return [row[:2] for row in rows]
    by_id = currencies.by_ids(db, {currency_id for row in rows for currency_id in (row[3], row[5]) if currency_id})
    places = {currency_id: currency.places for currency_id, currency in by_id.items()}
    return [row[:2] for row in rows if filters.holds([(row[2], places[row[3]]), (row[4], places.get(row[5]))])]
