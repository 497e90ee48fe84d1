"""Breaks down what was spent or earned by category, tag, payee, account or budget."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from heapq import nsmallest

from msgspec import Struct

from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from . import amounts, names
from .model import Amounts, Dimension, LabelledAmounts, Question, add_all, currencies_in
from .names import RowName
from .ranges import Comparison, ReportRange


class RowKind(StrEnum):
    LABEL = "label"
    OTHER = "other"
    NONE = "none"


class RowAmounts(Struct, frozen=True):
    """The amounts of a row, and what they are compared with: one part, the whole range."""

    amounts: Amounts
    compared: dict[Comparison, Amounts]

    @property
    def is_empty(self) -> bool:
        return not self.currency_ids

    @property
    def currency_ids(self) -> set[int]:
        """Those with an amount that is not zero."""
        every = (self.amounts, *self.compared.values())
        return {currency_id for one in every for currency_id, parts in one.items() if any(parts)}


class BreakdownRow(Struct, frozen=True):
    """`rows` is how many labels the row of all others stands for, `rows_in` how many in each currency."""

    kind: RowKind
    amounts: RowAmounts
    name: RowName | None = None
    rows: int = 0
    rows_in: Mapping[int, int] = {}


class Breakdown(Struct, frozen=True):
    rows: list[BreakdownRow]
    totals: RowAmounts


class BreakdownRequest(Struct, frozen=True):
    """`own_currency_id` is the currency by which rows are ordered first. `limit` is how many rows in each currency."""

    question: Question
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
    label_ids = {label_id for one in every for label_id in one.labels if label_id is not None}
    rows = [
        BreakdownRow(kind=RowKind.LABEL, name=name, amounts=_gather(now, then, name.label_ids))
        for name in _name_rows(db, user_id, request, label_ids)
    ]
    totals = RowAmounts(amounts=now.total, compared={name: one.total for name, one in then.items()})
    shown = _in_order((row for row in rows if not row.amounts.is_empty), request.own_currency_id)
    without = BreakdownRow(kind=RowKind.NONE, amounts=_gather(now, then, (None,)))
    largest = _find_largest(shown, request.limit)
    rest = [row for place, row in enumerate(shown) if place not in largest]
    ends = [*_sum_rest(rest), *([] if without.amounts.is_empty else [without])]
    return Breakdown(rows=[*(shown[place] for place in sorted(largest)), *ends], totals=totals)


def _name_rows(db: Unit, user_id: int, request: BreakdownRequest, label_ids: Collection[int]) -> list[RowName]:
    known = names.load(db, user_id, request.dimension, label_ids)
    if request.dimension is Dimension.PAYEE:
        return names.join_payees(known)
    if request.dimension is Dimension.CATEGORY and request.folds_children:
        return names.fold_children(db, user_id, known)
    return names.keep_apart(known)


def _gather(
    now: LabelledAmounts, then: Mapping[Comparison, LabelledAmounts], label_ids: Iterable[int | None]
) -> RowAmounts:
    wanted = list(label_ids)
    return RowAmounts(
        amounts=_sum_labels(now, wanted), compared={name: _sum_labels(one, wanted) for name, one in then.items()}
    )


def _sum_labels(of: LabelledAmounts, label_ids: Sequence[int | None]) -> Amounts:
    return add_all(of.labels[label_id] for label_id in label_ids if label_id in of.labels)


def _in_order(rows: Iterable[BreakdownRow], own_currency_id: int | None) -> list[BreakdownRow]:
    """The largest total first: in one's own currency, then in others, by their ids."""
    found = list(rows)
    currency_ids = sorted(
        currencies_in(row.amounts.amounts for row in found), key=lambda one: (one != own_currency_id, one)
    )

    def rank(row: BreakdownRow) -> tuple[object, ...]:
        totals = [-sum(row.amounts.amounts.get(currency_id, ())) for currency_id in currency_ids]
        assert row.name, "labels have names"
        return (*totals, row.name.label.name_fold, row.name.label.id)

    return sorted(found, key=rank)


def _find_largest(rows: Sequence[BreakdownRow], limit: int) -> set[int]:
    """The indexes of the largest rows in each currency: a large sum in one does not hide those in another."""
    in_currency: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, row in enumerate(rows):
        for currency_id in row.amounts.currency_ids:
            in_currency[currency_id].append((-sum(row.amounts.amounts.get(currency_id, ())), place))
    return {place for found in in_currency.values() for _, place in nsmallest(limit, found)}


def _sum_rest(rows: Sequence[BreakdownRow]) -> list[BreakdownRow]:
    """One row that stands for these, if there are any."""
    if not rows:
        return []
    summed = RowAmounts(
        amounts=add_all(row.amounts.amounts for row in rows),
        compared={name: add_all(row.amounts.compared[name] for row in rows) for name in rows[0].amounts.compared},
    )
    rows_in = Counter(currency_id for row in rows for currency_id in row.amounts.currency_ids)
    return [BreakdownRow(kind=RowKind.OTHER, amounts=summed, rows=len(rows), rows_in=rows_in)]
