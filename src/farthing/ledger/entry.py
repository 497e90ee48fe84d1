"""Defines entries, splits and postings: in double entry, money that leaves one account arrives in another."""

from collections.abc import Iterator
from datetime import date
from typing import Literal

from msgspec import Struct

from farthing.kernel.money import Currency, Money

from .details import EntryDetails
from .kinds import Type

# Further dates from the bank, in addition to the user's own date.
OTHER_DATES = ("interest", "book", "process", "due", "payment", "invoice")
NO_DATES: tuple[date | None, ...] = (None,) * len(OTHER_DATES)

# Labels: a split has a category and a budget, an entry has tags.
Label = Literal["categories", "budgets", "tags"]
LABELS: tuple[Label, ...] = ("categories", "budgets", "tags")
# Everything that has stored sums: accounts and labels.
Summed = Literal["accounts", "categories", "budgets", "tags"]
SUMMED: tuple[Summed, ...] = ("accounts", *LABELS)


class Party(Struct, frozen=True):
    """An account as the ledger sees it. If `may_count` is False, the account is certainly not part of the net worth."""

    id: int
    currency: Currency
    name: str = ""
    may_count: bool = True


class Split(Struct):
    """A positive amount that moves from a source to a destination, so every split balances.

    Splits are never modified. The class is not frozen, because creating a frozen split takes three times as long.
    """

    source: Party
    destination: Party
    amount: Money
    foreign: Money | None = None
    description: str | None = None
    reconciled: bool = False
    category_id: int | None = None
    budget_id: int | None = None
    refund: bool = False

    def __post_init__(self) -> None:
        assert self.amount.units > 0
        assert self.foreign is None or self.foreign.units > 0
        assert self.source.id != self.destination.id


class Entry(Struct):
    """A transaction of the user: a date, a type, and one or more splits.

    If `details` is None, a new entry has no details, and a changed one keeps those that it has.
    """

    type: Type
    on: date
    description: str
    splits: tuple[Split, ...]
    notes: str | None = None
    internal_reference: str | None = None
    dates: tuple[date | None, ...] = NO_DATES
    tag_ids: tuple[int, ...] = ()
    opening_account_id: int | None = None
    bill_id: int | None = None
    bill_by_hand: bool = False
    recurrence_id: int | None = None
    piggy_bank_id: int | None = None
    details: EntryDetails | None = None

    def __post_init__(self) -> None:
        assert self.splits


def amounts(entry: Entry) -> dict[int, int]:
    """Sums amounts by currency. If both amounts of a split are in the same currency, ignores the foreign amount."""
    totals: dict[int, int] = {}
    for split in entry.splits:
        own, foreign = split.amount, split.foreign
        totals[own.currency.id] = totals.get(own.currency.id, 0) + own.units
        if foreign and foreign.currency.id != own.currency.id:
            totals[foreign.currency.id] = totals.get(foreign.currency.id, 0) + foreign.units
    return totals


# Plain integers, because looking up an enum member would take longer than the comparison itself.
_WITHDRAWAL, _DEPOSIT, _OPENING_BALANCE = map(int, (Type.WITHDRAWAL, Type.DEPOSIT, Type.OPENING_BALANCE))


class BookedSplit(Struct, frozen=True):
    """A split as booked: what left the source, and what arrived at the destination."""

    type: int
    on: str
    source_id: int
    left_currency_id: int
    left_units: int
    destination_id: int
    arrived_currency_id: int
    arrived_units: int
    reconciled: bool = False
    category_id: int | None = None
    budget_id: int | None = None
    refund: bool = False
    tag_ids: tuple[int, ...] = ()
    source_may_count: bool = True
    destination_may_count: bool = True

    @property
    def settled(self) -> bool:
        """Checks whether the split counts as reconciled. Opening balances always do."""
        return bool(self.reconciled) or self.type == _OPENING_BALANCE

    @property
    def flow(self) -> tuple[int, int, int]:
        """Returns type, currency and units of spending or income. A refund reduces spending; a transfer has 0 units."""
        if self.type == _WITHDRAWAL:
            return _WITHDRAWAL, self.left_currency_id, self.left_units
        if self.type == _DEPOSIT and self.refund:
            return _WITHDRAWAL, self.arrived_currency_id, -self.arrived_units
        if self.type == _DEPOSIT:
            return _DEPOSIT, self.arrived_currency_id, self.arrived_units
        return self.type, self.left_currency_id, 0

    @property
    def summed(self) -> Iterator[tuple[Summed, int]]:
        yield "accounts", self.source_id
        yield "accounts", self.destination_id
        if self.category_id:
            yield "categories", self.category_id
        if self.budget_id:
            yield "budgets", self.budget_id
        for tag_id in self.tag_ids:
            yield "tags", tag_id

    @property
    def exchanges(self) -> bool:
        return self.left_currency_id != self.arrived_currency_id


class Posting(Struct, frozen=True):
    account_id: int
    currency_id: int
    units: int


def books_foreign(account_currency_id: int, currency_id: int, foreign_currency_id: int | None) -> bool:
    """Checks whether an account is booked with a split's foreign amount: only that one is in the account's currency."""
    return currency_id != account_currency_id == foreign_currency_id


def book_splits(entry: Entry) -> Iterator[BookedSplit]:
    for split in entry.splits:
        left = arrived = split.amount
        if split.foreign:
            left, arrived = _side(split, split.source), _side(split, split.destination)
        yield BookedSplit(
            type=int(entry.type),
            on=entry.on.isoformat(),
            source_id=split.source.id,
            left_currency_id=left.currency.id,
            left_units=left.units,
            destination_id=split.destination.id,
            arrived_currency_id=arrived.currency.id,
            arrived_units=arrived.units,
            reconciled=split.reconciled,
            category_id=split.category_id,
            budget_id=split.budget_id,
            refund=split.refund,
            tag_ids=entry.tag_ids,
            source_may_count=split.source.may_count,
            destination_may_count=split.destination.may_count,
        )


def _side(split: Split, party: Party) -> Money:
    return split.foreign if split.foreign and is_booked_foreign(split, party) else split.amount


def is_booked_foreign(split: Split, party: Party) -> bool:
    """Checks whether this side of the split is booked with the split's foreign amount."""
    foreign = split.foreign
    return foreign is not None and books_foreign(party.currency.id, split.amount.currency.id, foreign.currency.id)


def postings(split: BookedSplit, exchange_id: int | None) -> tuple[Posting, ...]:
    """Returns the postings of a split. Converts currencies only through the exchange account, so that the postings in
    each currency sum to zero. The database views `booked_splits` and `postings` follow the same rule for stored splits.
    """
    left = Posting(account_id=split.source_id, currency_id=split.left_currency_id, units=-split.left_units)
    arrived = Posting(account_id=split.destination_id, currency_id=split.arrived_currency_id, units=split.arrived_units)
    if not split.exchanges:
        return left, arrived
    assert exchange_id is not None
    return (
        left,
        Posting(account_id=exchange_id, currency_id=split.left_currency_id, units=split.left_units),
        Posting(account_id=exchange_id, currency_id=split.arrived_currency_id, units=-split.arrived_units),
        arrived,
    )
