"""Adds up a filtered list of transactions: in, out, and how many."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.accounts import store as accounts
from farthing.books.transactions import counts
from farthing.books.transactions.counts import Book, LabelFilter
from farthing.books.transactions.model import OWN
from farthing.ledger.entry import LABELS, BookedSplit
from farthing.ledger.kinds import HIDDEN, Type
from farthing.storage.unit import Unit

from .reading import list_sums, matching_splits
from .reading.converting import Converter
from .reading.model import ReportQuestion


class CurrencyTotal(Struct, frozen=True):
    """`moved` is the net amount that transfers and other entries moved into the filtered account."""

    earned: int
    spent: int
    moved: int

    @property
    def net(self) -> int:
        return self.earned - self.spent + self.moved


class ListTotals(Struct, frozen=True):
    """Totals by currency. `entries` is None if their number is not stored."""

    currencies: dict[int, CurrencyTotal]
    splits: int
    entries: int | None


class _Sums(Struct, frozen=True):
    earned: Counter[int]
    spent: Counter[int]
    moved: Counter[int]

    def by_currency(self) -> dict[int, CurrencyTotal]:
        ids = sorted({*self.earned, *self.spent, *self.moved})
        totals = {
            id_: CurrencyTotal(earned=self.earned[id_], spent=self.spent[id_], moved=self.moved[id_]) for id_ in ids
        }
        return {id_: total for id_, total in totals.items() if total.earned or total.spent or total.moved}


def add_up(db: Unit, user_id: int, question: ReportQuestion) -> ListTotals:
    """Reads stored sums where possible, else the matching splits."""
    asks_some_types = question.filters.types != frozenset(Type)
    if question.is_of_sums and not (question.filters.account_id and asks_some_types):
        return _from_sums(db, user_id, question)
    return _from_splits(question, matching_splits.read_splits(db, user_id, question))


def convert(into: Converter, totals: ListTotals, on: str) -> ListTotals:
    """Converts at the rates of one day, because a list has no parts."""
    of = totals.currencies
    earned, spent, moved = into.convert(
        [{id_: [getattr(total, name)] for id_, total in of.items()} for name in ("earned", "spent", "moved")], [on]
    )
    sums = _Sums(*(Counter({id_: units for id_, (units,) in amounts.items()}) for amounts in (earned, spent, moved)))
    return replace(totals, currencies=sums.by_currency())


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
    book = Book(user_id, filters.types)
    books = [book]
    if not question.labels:
        flows = list_sums.sum_flows(db, user_id, filters.days)
        entries = list_sums.count_entries(db, user_id, filters.types, filters.days)
    else:
        [(table, label_ids)] = question.labels
        flows = list_sums.sum_labels(db, user_id, table, label_ids, filters.days)
        entries, books = None, [_narrow(book, table, label_id) for label_id in label_ids]
    earned, spent = _of_types(db, user_id, question, flows)
    sums = _Sums(earned=earned, spent=spent, moved=_sum_moved(db, user_id, question, earned, spent))
    splits = sum(counts.total(db, book, filters.days) for book in books)
    return ListTotals(currencies=sums.by_currency(), splits=splits, entries=entries)


def _narrow(book: Book, table: str, label_id: int) -> Book:
    if table == "accounts":
        return replace(book, account_id=label_id)
    label = next(label for label in LABELS if label == table)
    return replace(book, labelled=LabelFilter(label, label_id))


def _of_types(
    db: Unit, user_id: int, question: ReportQuestion, flows: dict[int, Counter[int]]
) -> tuple[Counter[int], Counter[int]]:
    """Separates refunds, which stored sums subtract from spending, if only one of both types is requested."""
    earned, spent = flows.get(Type.DEPOSIT, Counter()), flows.get(Type.WITHDRAWAL, Counter())
    wants_earned, wants_spent = (type_ in question.filters.types for type_ in (Type.DEPOSIT, Type.WITHDRAWAL))
    if wants_earned == wants_spent:
        return (earned, spent) if wants_earned else (Counter(), Counter())
    refunded = matching_splits.sum_refunds(db, user_id, question)
    if wants_earned:
        return earned, Counter({currency_id: -units for currency_id, units in refunded.items()})
    spent.update(refunded)
    return Counter(), spent


def _sum_moved(
    db: Unit, user_id: int, question: ReportQuestion, earned: Counter[int], spent: Counter[int]
) -> Counter[int]:
    """Sums changes of the balance that are neither spending nor income; payees have none."""
    account_id = question.filters.account_id
    account = accounts.get(db, user_id, account_id) if account_id else None
    if account is None or account.kind not in OWN | HIDDEN:
        return Counter()
    moved = list_sums.sum_moves(db, user_id, account.id, question.filters.days)
    moved.subtract(earned)
    moved.update(spent)
    return moved
