"""Breaks down spending or income by category, tag, payee, account or budget."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from heapq import nsmallest

from msgspec import Struct

from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from .reading import amounts
from .reading.model import Amounts, Dimension, LabelledAmounts, ReportQuestion, add_all, currencies_in
from .reading.ranges import Comparison, ReportRange
from .reading.stored_sums import table_of


class RowLabel(Struct, frozen=True):
    id: int
    name: str
    name_fold: str
    parent_id: int | None = None
    colour: str | None = None
    icon: str | None = None


class RowName(Struct, frozen=True):
    """The labels that one row combines. `label` gives the row its name."""

    label: RowLabel
    label_ids: tuple[int, ...]


def load(db: Unit, user_id: int, dimension: Dimension, label_ids: Collection[int]) -> list[RowLabel]:
    return load_from(db, user_id, table_of(dimension), label_ids)


def load_from(db: Unit, user_id: int, table: str, label_ids: Collection[int]) -> list[RowLabel]:
    more = ", parent_id, colour, icon" if table == "categories" else ""
    sql = f"SELECT id, name, name_fold{more} FROM {table} WHERE user_id = :user_id AND id IN :ids ORDER BY id"
    return db.structs(RowLabel, sql, user_id=user_id, ids=sorted(label_ids))


def join_payees(names: list[RowLabel]) -> list[RowName]:
    """Joins accounts of the same name into one payee, so that a payee's refunds lower the spending at that payee."""
    joined: dict[str, list[RowLabel]] = {}
    for name in names:
        joined.setdefault(name.name_fold, []).append(name)
    return [RowName(label=of[0], label_ids=tuple(name.id for name in of)) for of in joined.values()]


def fold_children(db: Unit, user_id: int, names: list[RowLabel]) -> list[RowName]:
    parents = {name.parent_id for name in names if name.parent_id} - {name.id for name in names}
    by_id = {name.id: name for name in [*names, *load(db, user_id, Dimension.CATEGORY, parents)]}
    joined: dict[int, list[int]] = {}
    for name in names:
        joined.setdefault(name.parent_id or name.id, []).append(name.id)
    return [RowName(label=by_id[label_id], label_ids=tuple(of)) for label_id, of in joined.items()]


def keep_apart(names: list[RowLabel]) -> list[RowName]:
    return [RowName(label=name, label_ids=(name.id,)) for name in names]


class RowKind(StrEnum):
    LABEL = "label"
    OTHER = "other"
    NONE = "none"


class RowAmounts(Struct, frozen=True):
    """The amounts of a row, in the reported range and in the ranges to compare it with. Each range is a single part."""

    amounts: Amounts
    compared: dict[Comparison, Amounts]

    @property
    def is_empty(self) -> bool:
        return not self.currency_ids

    @property
    def currency_ids(self) -> set[int]:
        """Returns the currencies with an amount that is not zero."""
        every = (self.amounts, *self.compared.values())
        return {currency_id for amounts in every for currency_id, parts in amounts.items() if any(parts)}


class BreakdownRow(Struct, frozen=True):
    """A row. If its kind is `OTHER`, it sums up several rows: `rows` in total, `rows_in` with amounts in a currency."""

    kind: RowKind
    amounts: RowAmounts
    name: RowName | None = None
    rows: int = 0
    rows_in: Mapping[int, int] = {}


class Breakdown(Struct, frozen=True):
    rows: list[BreakdownRow]
    totals: RowAmounts


class BreakdownRequest(Struct, frozen=True):
    """`limit` is the number of rows per currency. Rows are ordered by their amounts in `own_currency_id` first."""

    question: ReportQuestion
    dimension: Dimension
    type: Type
    within: ReportRange
    limit: int
    own_currency_id: int | None
    compare: tuple[Comparison, ...] = ()
    folds_children: bool = False


def break_down(db: Unit, user_id: int, request: BreakdownRequest) -> Breakdown:
    ranges = [request.within, *map(request.within.compared_with, request.compare)]
    every = amounts.of_labels(db, user_id, request.question, request.dimension, request.type, ranges)
    now, then = every[0], dict(zip(request.compare, every[1:], strict=True))
    label_ids = {label_id for labelled in every for label_id in labelled.labels if label_id is not None}
    rows = [
        BreakdownRow(kind=RowKind.LABEL, name=name, amounts=_gather(now, then, name.label_ids))
        for name in _name_rows(db, user_id, request, label_ids)
    ]
    totals = RowAmounts(amounts=now.total, compared={name: labelled.total for name, labelled in then.items()})
    ordered = _in_order((row for row in rows if not row.amounts.is_empty), request.own_currency_id)
    without = BreakdownRow(kind=RowKind.NONE, amounts=_gather(now, then, (None,)))
    largest = _find_largest(ordered, request.limit)
    rest = [row for index, row in enumerate(ordered) if index not in largest]
    ends = [*_sum_rest(rest), *([] if without.amounts.is_empty else [without])]
    return Breakdown(rows=[*(ordered[index] for index in sorted(largest)), *ends], totals=totals)


def _name_rows(db: Unit, user_id: int, request: BreakdownRequest, label_ids: Collection[int]) -> list[RowName]:
    labels = load(db, user_id, request.dimension, label_ids)
    if request.dimension is Dimension.PAYEE:
        return join_payees(labels)
    if request.dimension is Dimension.CATEGORY and request.folds_children:
        return fold_children(db, user_id, labels)
    return keep_apart(labels)


def _gather(
    now: LabelledAmounts, then: Mapping[Comparison, LabelledAmounts], label_ids: Iterable[int | None]
) -> RowAmounts:
    ids = list(label_ids)
    return RowAmounts(
        amounts=_sum_labels(now, ids), compared={name: _sum_labels(labelled, ids) for name, labelled in then.items()}
    )


def _sum_labels(of: LabelledAmounts, label_ids: Sequence[int | None]) -> Amounts:
    return add_all(of.labels[label_id] for label_id in label_ids if label_id in of.labels)


def _in_order(rows: Iterable[BreakdownRow], own_currency_id: int | None) -> list[BreakdownRow]:
    """Orders rows by total, largest first: by totals in the user's own currency, then by those in other currencies."""
    ordered = list(rows)
    currency_ids = sorted(
        currencies_in(row.amounts.amounts for row in ordered),
        key=lambda currency_id: (currency_id != own_currency_id, currency_id),
    )

    def rank(row: BreakdownRow) -> tuple[object, ...]:
        totals = [-sum(row.amounts.amounts.get(currency_id, ())) for currency_id in currency_ids]
        assert row.name, "labels have names"
        return (*totals, row.name.label.name_fold, row.name.label.id)

    return sorted(ordered, key=rank)


def _find_largest(rows: Sequence[BreakdownRow], limit: int) -> set[int]:
    """Returns the indexes of the largest rows in each currency, so that every currency is represented."""
    in_currency: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for index, row in enumerate(rows):
        for currency_id in row.amounts.currency_ids:
            in_currency[currency_id].append((-sum(row.amounts.amounts.get(currency_id, ())), index))
    return {index for largest in in_currency.values() for _, index in nsmallest(limit, largest)}


def _sum_rest(rows: Sequence[BreakdownRow]) -> list[BreakdownRow]:
    """Returns a single row that sums up the given rows, or no row if there are none."""
    if not rows:
        return []
    summed = RowAmounts(
        amounts=add_all(row.amounts.amounts for row in rows),
        compared={name: add_all(row.amounts.compared[name] for row in rows) for name in rows[0].amounts.compared},
    )
    rows_in = Counter(currency_id for row in rows for currency_id in row.amounts.currency_ids)
    return [BreakdownRow(kind=RowKind.OTHER, amounts=summed, rows=len(rows), rows_in=rows_in)]
