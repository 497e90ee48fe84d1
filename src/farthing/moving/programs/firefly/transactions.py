"""Turns groups of journals into transactions, with the types and accounts that our ledger allows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from typing import Any

from msgspec import Struct

from farthing.ledger.details import NO_DETAILS, EntryDetails
from farthing.ledger.kinds import Kind, Type

from ...source_books import SourceAccount, SourceSplit, SourceTransaction
from .accounts import OWN, Accounts
from .files.items import Group, Remarks, join_notes
from .journals import Journal, differing_details

_TYPES_OF_HELPERS = {Kind.INITIAL_BALANCE: Type.OPENING_BALANCE, Kind.RECONCILIATION: Type.RECONCILIATION}
_UNFIT = "Only withdrawals can have budgets or bills, and some bills are unknown: such values are kept in the notes"
_PAYEES = frozenset({Kind.EXPENSE, Kind.CASH})
_PAYERS = frozenset({Kind.REVENUE, Kind.CASH})


class Placed(Struct, frozen=True):
    """Combines a journal with the type and accounts that it has in Farthing."""

    journal: Journal
    type: Type
    source: SourceAccount
    destination: SourceAccount

    @property
    def bucket(self) -> tuple[Any, ...]:
        """Returns a key of type, day and own accounts. Journals with equal keys can be splits of one transaction."""
        day = self.journal.on
        if self.type == Type.WITHDRAWAL:
            return self.type, day, self.source.key
        if self.type == Type.DEPOSIT:
            return self.type, day, self.destination.key
        if self.type == Type.TRANSFER:
            return self.type, day, self.source.key, self.destination.key
        return self.type, self.journal.id


class Part(Struct, frozen=True):
    """Describes one transaction to be created, from all journals of a group or some of them."""

    key: str
    title: str | None
    placed: tuple[Placed, ...]
    is_whole: bool


def place(journal: Journal, accounts: Accounts) -> Placed | None:
    """Chooses a journal's type by the kinds of its accounts. For example, a withdrawal to a loan becomes a transfer."""
    source, destination = journal.source, journal.destination
    type_ = _type_between(source.kind, destination.kind)
    if type_ is None and destination.kind in OWN and source.kind == Kind.EXPENSE:
        type_, source = Type.DEPOSIT, accounts.twin(source, Kind.REVENUE)
    elif type_ is None and source.kind in OWN and destination.kind == Kind.REVENUE:
        type_, destination = Type.WITHDRAWAL, accounts.twin(destination, Kind.EXPENSE)
    if type_ is not None and (source.key, destination.key) != (journal.source.key, journal.destination.key):
        message = "Money came from a payee, or went to a payer: an account of the same name and the other kind is used"
        accounts.remarks.count(message, _named(journal))
    reason = _reason_against(journal, type_)
    if reason is None and type_ is not None:
        return Placed(journal=journal, type=type_, source=source, destination=destination)
    message = f"The journal {journal.id} ({journal.description[:80]}) cannot be imported: {reason}."
    accounts.remarks.add(message, row=journal.row, rejects=True)
    return None


def _type_between(source: Kind, destination: Kind) -> Type | None:
    if source in OWN and destination in OWN:
        return Type.TRANSFER
    if source in OWN and destination in _PAYEES:
        return Type.WITHDRAWAL
    if source in _PAYERS and destination in OWN:
        return Type.DEPOSIT
    helper = destination if source in OWN else source if destination in OWN else None
    return _TYPES_OF_HELPERS.get(helper or Kind.CASH)


def _reason_against(journal: Journal, type_: Type | None) -> str | None:
    if type_ is None:
        kinds = f"{journal.source.kind.value} to {journal.destination.kind.value}"
        return f"it goes from {kinds}, but one side must be an asset account or a liability"
    if journal.source.key == journal.destination.key:
        return "source and destination are the same account"
    return None if journal.amount else "its amount is zero"


def _named(journal: Journal) -> str:
    return f"{journal.on} {journal.description}"


def divide(group: Group, placed: Sequence[Placed], remarks: Remarks) -> Iterator[Part]:
    """Yields one part, or several if the journals of the group cannot all be splits of one transaction here."""
    buckets: dict[tuple[Any, ...], list[Placed]] = {}
    for item in sorted(placed, key=lambda item: item.journal.position):
        buckets.setdefault(item.bucket, []).append(item)
    if len(buckets) > 1:
        message = "A group has journals of several types, days or own accounts; each part is a transaction of its own"
        remarks.count(message, group.title or _named(placed[0].journal))
    for number, of in enumerate(buckets.values()):
        key = f"{group.id}/{of[0].journal.id}" if number else group.id
        yield Part(key=key, title=group.title, placed=tuple(of), is_whole=len(buckets) == 1)


class Bills(Struct, frozen=True):
    keys: Set[str]
    by_name: Mapping[str, str]

    def find(self, journals: Iterable[Journal]) -> str | None:
        for journal in journals:
            by_id = journal.bill_id if journal.bill_id in self.keys else None
            key = by_id or (self.by_name.get(journal.bill_name) if journal.bill_name else None)
            if key:
                return key
        return None


class JournalContext(Struct, frozen=True, kw_only=True):
    """Holds what transactions need besides their journals: piggy banks by the key of their transaction, and for each
    account the journal of its `opening` balance.
    """

    bills: Bills
    piggy_banks: Mapping[str, str]
    opening: Mapping[str, str]


def build(part: Part, context: JournalContext) -> SourceTransaction:
    journals = [item.journal for item in part.placed]
    first = journals[0]
    type_ = _type_of(part.placed[0], context)
    # Splits have descriptions of their own if there are several, or if the whole group has a title.
    is_split = len(part.placed) > 1 or (part.title is not None and part.is_whole)
    description = (part.title if is_split else None) or first.description
    lines = list(_lines(part, context, type_))
    bill = context.bills.find(journals) if type_ == Type.WITHDRAWAL else None
    return SourceTransaction(
        key=part.key,
        on=first.on,
        description=description,
        splits=tuple(
            make_split(item, type_, text if is_split and text != description else None)
            for item in part.placed
            for text in (item.journal.description,)
        ),
        type=type_,
        row=first.row,
        notes=join_notes(_notes(journals), lines),
        internal_reference=_first_reference(journals),
        dates=_first_dates(journals),
        details=_first_details(journals),
        tags=tuple(dict.fromkeys(tag for journal in journals for tag in journal.tags)),
        bill=bill,
        piggy_bank=context.piggy_banks.get(part.key) if type_ == Type.TRANSFER else None,
    )


def _type_of(placed: Placed, context: JournalContext) -> Type:
    """Returns the type. Only one journal is an account's opening balance; further ones become reconciliations."""
    if placed.type != Type.OPENING_BALANCE:
        return placed.type
    own = placed.source if placed.source.kind in OWN else placed.destination
    return Type.OPENING_BALANCE if context.opening.get(own.key) == placed.journal.id else Type.RECONCILIATION


def make_split(placed: Placed, type_: Type, description: str | None) -> SourceSplit:
    journal = placed.journal
    return SourceSplit(
        source=placed.source.key,
        destination=placed.destination.key,
        amount=journal.amount,
        currency=journal.currency,
        foreign_amount=journal.foreign_amount,
        foreign_currency=journal.foreign_currency,
        description=description,
        category=journal.category,
        budget=journal.budget if type_ == Type.WITHDRAWAL or journal.refund else None,
        reconciled=journal.reconciled,
        refund=journal.refund,
    )


def _notes(journals: Sequence[Journal]) -> str | None:
    if len({journal.notes for journal in journals}) == 1:
        return journals[0].notes
    return "\n".join(f"{journal.description}: {journal.notes}" for journal in journals if journal.notes) or None


def _lines(part: Part, context: JournalContext, type_: Type) -> Iterator[str]:
    journals = [item.journal for item in part.placed]
    if part.title and not part.is_whole:
        yield f"Part of: {part.title}"
    for journal in journals:
        prefix = f"{journal.description}: " if len(journals) > 1 else ""
        yield from (prefix + line for line in journal.noted)
        yield from (prefix + line for line in _unfit(journal, context.bills, type_))
    # A transaction stores only the first reference and dates, so those of other splits go into the notes.
    first_reference, first_dates = _first_reference(journals), _first_dates(journals)
    for journal in journals[1:]:
        if journal.internal_reference and journal.internal_reference != first_reference:
            yield f"{journal.description}: Internal reference: {journal.internal_reference}"
        if journal.dates and journal.dates != first_dates:
            text = ", ".join(f"{name} {day}" for name, day in journal.dates.items())
            yield f"{journal.description}: Dates: {text}"
        for line in differing_details(journal.details, _first_details(journals)):
            yield f"{journal.description}: {line}"


def _unfit(journal: Journal, bills: Bills, type_: Type) -> Iterator[str]:
    """Yields what can only be noted: budgets and bills of journals that are not withdrawals here, and unknown bills."""
    if journal.budget and type_ != Type.WITHDRAWAL:
        yield f"Budget: {journal.budget}"
    bill = journal.bill_name or journal.bill_id
    if bill and (type_ != Type.WITHDRAWAL or bills.find([journal]) is None):
        yield f"Bill: {bill}"


def mention(part: Part, bills: Bills, remarks: Remarks) -> None:
    """Reports the values of a part that `build` has to store differently."""
    journals = [item.journal for item in part.placed]
    for journal in journals:
        for line in _unfit(journal, bills, part.placed[0].type):
            remarks.count(_UNFIT, f"{_named(journal)}: {line}")
    if len({item.tags for item in journals}) > 1:
        remarks.count("Splits have different tags; here the whole transaction has all of them", _named(journals[0]))


def _first_details(journals: Sequence[Journal]) -> EntryDetails:
    return next((journal.details for journal in journals if journal.details != NO_DETAILS), NO_DETAILS)


def _first_reference(journals: Sequence[Journal]) -> str | None:
    return next((journal.internal_reference for journal in journals if journal.internal_reference), None)


def _first_dates(journals: Sequence[Journal]) -> Mapping[str, date]:
    return next((journal.dates for journal in journals if journal.dates), {})


def weigh(journal: Journal, accounts: Accounts) -> None:
    """Counts a journal as evidence of currencies. The main amount of a deposit is in the currency of its destination,
    that of any other journal in the currency of its source.
    """
    main = journal.destination if journal.type_word == "deposit" else journal.source
    for account in (journal.source, journal.destination):
        is_sure = account is main or account.kind not in OWN
        currency = journal.currency if is_sure else journal.foreign_currency or journal.currency
        accounts.vote(account, currency, firm=is_sure)
