"""Adds up the amounts in a filtered list of transactions, and counts the transactions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.accounts import store as accounts
from farthing.books.transactions import counts
from farthing.books.transactions.counts import Book, Days, LabelFilter, numbers
from farthing.books.transactions.model import OWN
from farthing.ledger.entry import BookedSplit
from farthing.ledger.kinds import FLOWING, HIDDEN, Type
from farthing.storage.grains import ALL_TIME, HALVES, for_each_span, join_halves, parameters_of, spans
from farthing.storage.unit import Unit

from .reading import matching_splits
from .reading.converting import Converter
from .reading.model import ReportQuestion

Units = Counter[int]  # by currency


class CurrencyTotal(Struct, frozen=True):
    """`moved` is the net amount that transfers and similar transactions moved into the filtered account."""

    earned: int
    spent: int
    moved: int

    @property
    def net(self) -> int:
        return self.earned - self.spent + self.moved


class ListTotals(Struct, frozen=True):
    """Totals by currency. `entries` is None if the number of transactions is not stored for this filter."""

    currencies: dict[int, CurrencyTotal]
    splits: int
    entries: int | None


class _Sums(Struct, frozen=True):
    earned: Units
    spent: Units
    moved: Units

    def by_currency(self) -> dict[int, CurrencyTotal]:
        ids = sorted({*self.earned, *self.spent, *self.moved})
        totals = {
            id_: CurrencyTotal(earned=self.earned[id_], spent=self.spent[id_], moved=self.moved[id_]) for id_ in ids
        }
        return {id_: total for id_, total in totals.items() if total.earned or total.spent or total.moved}


def add_up(db: Unit, user_id: int, question: ReportQuestion) -> ListTotals:
    """Adds up the matching transactions, from stored sums if they suffice, otherwise from splits."""
    filters = question.filters
    asks_some_types = filters.types != frozenset(Type)
    has_sums = replace(question, filters=replace(filters, flow=None)).is_of_sums
    if has_sums and not (asks_some_types and (filters.account_id or filters.flow)):
        return _from_sums(db, user_id, question)
    return _from_splits(question, matching_splits.read_splits(db, user_id, question))


def convert(into: Converter, totals: ListTotals, on: str) -> ListTotals:
    """Converts all totals at the rates on a single day."""
    of = totals.currencies
    parts = [{id_: [getattr(total, name)] for id_, total in of.items()} for name in ("earned", "spent", "moved")]
    sums = [Counter({id_: units for id_, (units,) in amounts.items()}) for amounts in into.convert(parts, [on])]
    return replace(totals, currencies=_Sums(*sums).by_currency())


def _from_splits(question: ReportQuestion, splits: Iterable[tuple[int, BookedSplit]]) -> ListTotals:
    earned, spent, moved = Counter[int](), Counter[int](), Counter[int]()
    entry_ids: set[int] = set()
    number = 0
    for entry_id, split in splits:
        entry_ids.add(entry_id)
        number += 1
        type_, currency_id, units = split.flow
        if units:
            (spent if type_ == Type.WITHDRAWAL else earned)[currency_id] += units
        elif split.source_id == question.filters.account_id:
            moved[split.left_currency_id] -= split.left_units
        elif split.destination_id == question.filters.account_id:
            moved[split.arrived_currency_id] += split.arrived_units
    sums = _Sums(earned=earned, spent=spent, moved=moved)
    return ListTotals(currencies=sums.by_currency(), splits=number, entries=len(entry_ids))


def _from_sums(db: Unit, user_id: int, question: ReportQuestion) -> ListTotals:
    filters = question.filters
    book = Book(user_id, filters.types if filters.flow is None else frozenset({filters.flow}))
    books = [book]
    if not question.labels:
        flows = _sum(db, user_id, _FLOWS, filters.days)
        entries = _sum(db, user_id, _ENTRIES.replace("{types}", numbers(filters.types)), filters.days)[0][0]
    else:
        [(table, label_ids)] = question.labels
        flows = _sum(db, user_id, _OF_LABELS.replace("{table}", table), filters.days, label_ids=label_ids)
        entries, books = None, [replace(book, labelled=LabelFilter(table, label_id)) for label_id in label_ids]
    splits = sum(counts.total(db, book, filters.days) for book in books)
    if filters.flow:
        return _from_flow(db, user_id, question, flows.get(filters.flow, Counter()), splits)
    earned, spent = _of_types(db, user_id, question, flows)
    sums = _Sums(earned=earned, spent=spent, moved=_sum_moved(db, user_id, question, earned, spent))
    return ListTotals(currencies=sums.by_currency(), splits=splits, entries=entries)


def _from_flow(db: Unit, user_id: int, question: ReportQuestion, units: Units, splits: int) -> ListTotals:
    """Corrects the number of splits: refunds are among the deposits in stored counts, but reduce spending in sums."""
    refunds = len(matching_splits.read_refunds(db, user_id, question))
    is_spent = question.filters.flow == Type.WITHDRAWAL
    sums = _Sums(earned=Counter() if is_spent else units, spent=units if is_spent else Counter(), moved=Counter())
    number = splits + refunds if is_spent else splits - refunds
    return ListTotals(currencies=sums.by_currency(), splits=number, entries=None)


def _of_types(db: Unit, user_id: int, question: ReportQuestion, flows: Mapping[int, Units]) -> tuple[Units, Units]:
    """Returns income and spending. If only one is requested, reads the refunds, which stored sums have subtracted."""
    earned, spent = flows.get(Type.DEPOSIT, Counter()), flows.get(Type.WITHDRAWAL, Counter())
    wants_earned, wants_spent = (type_ in question.filters.types for type_ in (Type.DEPOSIT, Type.WITHDRAWAL))
    if wants_earned == wants_spent:
        return (earned, spent) if wants_earned else (Counter(), Counter())
    refunded = Counter[int]()
    for split in matching_splits.read_refunds(db, user_id, question):
        refunded[split.arrived_currency_id] += split.arrived_units
    if wants_earned:
        return earned, Counter({currency_id: -units for currency_id, units in refunded.items()})
    spent.update(refunded)
    return Counter(), spent


def _sum_moved(db: Unit, user_id: int, question: ReportQuestion, earned: Units, spent: Units) -> Units:
    """Sums the changes of the account's balance that are neither spending nor income. Payees have no such changes."""
    account_id = question.filters.account_id
    account = accounts.get(db, user_id, account_id) if account_id else None
    if account is None or account.kind not in OWN | HIDDEN:
        return Counter()
    moved = _sum(db, user_id, _MOVES, question.filters.days, account_id=account.id)[0]
    moved.subtract(earned)
    moved.update(spent)
    return moved


def find_first_day(db: Unit, user_id: int) -> date | None:
    """Returns the day of the first withdrawal or deposit, which the database reads quickly from an index."""
    first = "SELECT MIN(on_day) FROM splits WHERE user_id = :user_id AND type = {}"
    rows = db.all(" UNION ALL ".join(first.format(int(type_)) for type_ in FLOWING), user_id=user_id)
    return min((date.fromisoformat(on_day) for (on_day,) in rows if on_day), default=None)


# Each query selects type, currency and the halves of the units, with 0 for a type or currency that does not apply.
# Currencies are joined first, because the index begins with them.
_FLOWS = f"""
SELECT t.type, c.id, {HALVES.format(column="s.units")}
FROM (SELECT 1 AS type UNION ALL SELECT 2) AS t CROSS JOIN currencies c CROSS JOIN flows s
WHERE s.user_id = :user_id AND s.type = t.type AND s.currency_id = c.id AND {{in_span}} GROUP BY t.type, c.id
"""
_OF_LABELS = f"""
SELECT s.type, s.currency_id, {HALVES.format(column="s.units")} FROM sums_of_{{table}} s
WHERE s.user_id = :user_id AND s.label_id IN :label_ids AND {{in_span}} GROUP BY s.type, s.currency_id
"""
_MOVES = f"""
SELECT 0, c.id, {HALVES.format(column="s.units")} FROM currencies c CROSS JOIN balances s
WHERE s.user_id = :user_id AND s.account_id = :account_id AND s.currency_id = c.id AND {{in_span}} GROUP BY c.id
"""
_ENTRIES = """
SELECT 0, 0, 0, SUM(s.entries) FROM counts s WHERE s.user_id = :user_id AND s.type IN ({types}) AND {in_span}
"""


def _sum(db: Unit, user_id: int, source: str, days: Days, **parameters: Any) -> Mapping[int, Units]:
    """Returns sums by type and currency."""
    start, end = days.start, days.end
    chosen = [ALL_TIME] if days == Days() else spans(date.fromisoformat(start), date.fromisoformat(end))
    query = for_each_span(source, len(chosen), "s")
    by_type: dict[int, Units] = defaultdict(Counter)
    for type_, currency_id, high, low in db.all(query, user_id=user_id, **parameters_of(chosen), **parameters):
        by_type[type_][currency_id] += join_halves(high, low)
    return by_type
