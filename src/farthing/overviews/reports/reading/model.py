"""Defines the question that a report answers, and the amounts in the answer."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from farthing.books.transactions.counts import Days
from farthing.books.transactions.index.words import SearchWords
from farthing.ledger.entry import Summed
from farthing.ledger.kinds import Type

from ...search.narrowing import SearchFilter
from .converting import Converter
from .ranges import ReportRange

# Units by currency, one number for each part of the range.
Amounts = dict[int, list[int]]
# Amounts spent (withdrawals) and earned (deposits).
Flows = dict[Type, Amounts]


class Dimension(StrEnum):
    CATEGORY = "category"
    TAG = "tag"
    PAYEE = "payee"
    ACCOUNT = "account"
    BUDGET = "budget"

    @property
    def overlaps(self) -> bool:
        return self is Dimension.TAG


# The filters for which sums are stored, by the table of their labels.
_SUMMED: dict[Summed, str] = {
    "categories": "category_id",
    "tags": "tag_id",
    "budgets": "budget_id",
    "accounts": "account_id",
}


class ReportQuestion(Struct, frozen=True):
    """Selects the splits that pass the filters and belong to transactions that contain all words.

    A report asks the question `times` times, for different days or types, and divides the limit on scanned
    transactions by this number. If `into` is set, it converts the amounts.
    """

    words: tuple[SearchWords, ...] = ()
    filters: SearchFilter = field(default_factory=SearchFilter)
    times: int = 1
    into: Converter | None = None

    def within(self, days: ReportRange) -> "ReportQuestion":
        chosen = Days(days.start.isoformat(), days.end.isoformat())
        return replace(self, filters=replace(self.filters, days=chosen))

    @property
    def labels(self) -> list[tuple[Summed, list[int]]]:
        """Lists the labels of the filter as table and ids. Payees, and categories with sub-categories, have several."""
        filtered = ((table, getattr(self.filters, name)) for table, name in _SUMMED.items())
        labels: list[tuple[Summed, list[int]]] = [
            (table, self.filters.category_ids if table == "categories" else [label_id])
            for table, label_id in filtered
            if label_id is not None
        ]
        if self.filters.payee_ids:
            labels.append(("accounts", list(self.filters.payee_ids)))
        return labels

    @property
    def is_of_sums(self) -> bool:
        """Tells whether stored sums suffice: the question has no words, amounts or bills, and at most one label."""
        without = dict.fromkeys(_SUMMED.values())
        plain = SearchFilter(days=self.filters.days, types=self.filters.types)
        rest = replace(self.filters, child_ids=(), payee_ids=(), **without)
        return not self.words and len(self.labels) < 2 and rest == plain


class LabelledAmounts(Struct, frozen=True):
    """Amounts by label, with the key None for splits without a label. `total` includes each split only once."""

    labels: dict[int | None, Amounts]
    total: Amounts


def add(amounts: Amounts, more: Amounts, *, times: int = 1) -> Amounts:
    """Adds `more` to `amounts` in place, part by part and `times` times."""
    for currency_id, parts in more.items():
        summed = amounts.get(currency_id, [0] * len(parts))
        amounts[currency_id] = [total + times * units for total, units in zip(summed, parts, strict=True)]
    return amounts


def add_all(many: Iterable[Amounts]) -> Amounts:
    total: Amounts = {}
    for amounts in many:
        add(total, amounts)
    return total


def drop_zeros(amounts: Amounts) -> Amounts:
    return {currency_id: parts for currency_id, parts in amounts.items() if any(parts)}


def currencies_in(many: Iterable[Amounts]) -> Iterator[int]:
    yield from dict.fromkeys(currency_id for amounts in many for currency_id in amounts)
