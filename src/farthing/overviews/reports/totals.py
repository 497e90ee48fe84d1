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

from . import list_sums, matched
from .converting import Converter
from .model import Question


class CurrencyTotal(Struct, frozen=True):
    """`moved` is what transfers and the like brought to the account that is filtered, less what they took."""

    earned: int
    spent: int
    moved: int

    @property
    def net(self) -> int:
        return self.earned - self.spent + self.moved


class ListTotals(Struct, frozen=True):
    """By currency. The number of entries is None where it is not stored."""

    currencies: dict[int, CurrencyTotal]
    splits: int
    entries: int | None


class _Sums(Struct, frozen=True):
    earned: Counter[int]
    spent: Counter[int]
    moved: Counter[int]

    def by_currency(self) -> dict[int, CurrencyTotal]:
        ids = sorted({*self.earned, *self.spent, *self.moved})
        found = {
            one: CurrencyTotal(earned=self.earned[one], spent=self.spent[one], moved=self.moved[one]) for one in ids
        }
        return {one: sums for one, sums in found.items() if sums.earned or sums.spent or sums.moved}


def add_up(db: Unit, user_id: int, question: Question) -> ListTotals:
    """From stored sums where they answer it, else from the splits that match."""
    asks_some_types = question.filters.types != frozenset(Type)
    if question.is_of_sums and not (question.filters.account_id and asks_some_types):
        return _from_sums(db, user_id, question)
    return _from_splits(question, matched.read_splits(db, user_id, question))


def convert(into: Converter, found: ListTotals, on: str) -> ListTotals:
    """At the rates of one day, because a list has no parts."""
    of = found.currencies
    earned, spent, moved = into.convert(
        [{one: [getattr(total, name)] for one, total in of.items()} for name in ("earned", "spent", "moved")], [on]
    )
    sums = _Sums(*(Counter({one: units for one, (units,) in amounts.items()}) for amounts in (earned, spent, moved)))
    return replace(found, currencies=sums.by_currency())


def _from_splits(question: Question, splits: Iterable[tuple[int, BookedSplit]]) -> ListTotals:
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


def _from_sums(db: Unit, user_id: int, question: Question) -> ListTotals:
    filters = question.filters
    book = Book(user_id, filters.types)
    books = [book]
    if not question.labels:
        flows = list_sums.sum_flows(db, user_id, filters.days)
        entries = list_sums.count_entries(db, user_id, filters.types, filters.days)
    else:
        [(table, label_ids)] = question.labels
        flows = list_sums.sum_labels(db, user_id, table, label_ids, filters.days)
        entries, books = None, [_narrow(book, table, one) for one in label_ids]
    earned, spent = _of_types(db, user_id, question, flows)
    sums = _Sums(earned=earned, spent=spent, moved=_sum_moved(db, user_id, question, earned, spent))
    splits = sum(counts.total(db, one, filters.days) for one in books)
    return ListTotals(currencies=sums.by_currency(), splits=splits, entries=entries)


def _narrow(book: Book, table: str, label_id: int) -> Book:
    if table == "accounts":
        return replace(book, account_id=label_id)
    label = next(one for one in LABELS if one == table)
    return replace(book, labelled=LabelFilter(label, label_id))


def _of_types(
    db: Unit, user_id: int, question: Question, flows: dict[int, Counter[int]]
) -> tuple[Counter[int], Counter[int]]:
    """Stored sums take refunds off what was spent. Where only one of both types is wanted, they are told apart."""
    earned, spent = flows.get(Type.DEPOSIT, Counter()), flows.get(Type.WITHDRAWAL, Counter())
    wants_earned, wants_spent = (one in question.filters.types for one in (Type.DEPOSIT, Type.WITHDRAWAL))
    if wants_earned == wants_spent:
        return (earned, spent) if wants_earned else (Counter(), Counter())
    refunded = matched.sum_refunds(db, user_id, question)
    if wants_earned:
        return earned, Counter({one: -units for one, units in refunded.items()})
    spent.update(refunded)
    return Counter(), spent


def _sum_moved(db: Unit, user_id: int, question: Question, earned: Counter[int], spent: Counter[int]) -> Counter[int]:
    """The change of the balance that is neither spent nor earned; payees have none."""
    account_id = question.filters.account_id
    account = accounts.get(db, user_id, account_id) if account_id else None
    if account is None or account.kind not in OWN | HIDDEN:
        return Counter()
    moved = list_sums.sum_moves(db, user_id, account.id, question.filters.days)
    moved.subtract(earned)
    moved.update(spent)
    return moved
