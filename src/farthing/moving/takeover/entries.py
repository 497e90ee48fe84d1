"""Composes entries from the transactions of another program's books. Does not use the database."""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.transactions.model import OWN, KnownAccount
from farthing.kernel.limits import DESCRIPTION_MAX
from farthing.kernel.money import Currency, Money, as_text
from farthing.kernel.text import NO_DESCRIPTION, fold, in_one_line
from farthing.ledger.entry import OTHER_DATES, Entry, Party, Split
from farthing.ledger.kinds import Kind, Type

from ..findings import Finding
from ..source_books import SourceAccount, SourceSplit, SourceTransaction
from .fitting import Unfitting, as_notes, round_to_units

# The other side of an opening balance or a reconciliation is a helper account of this kind.
HELPED = {Kind.INITIAL_BALANCE: Type.OPENING_BALANCE, Kind.RECONCILIATION: Type.RECONCILIATION}


class TakeoverTarget(Struct, kw_only=True):
    """Holds the objects in the user's books that the source's transactions refer to. Accounts are found by their key in
    the source, labels by their folded name. `openings` are the ids of accounts with an opening balance;
    `helper_parties` are the helper accounts, by the account that they help and their kind.
    """

    accounts: Mapping[str, KnownAccount]
    helpers: Mapping[str, SourceAccount]
    categories: Mapping[str, int]
    budgets: Mapping[str, int]
    tags: Mapping[str, int]
    bills: Mapping[str, int]
    piggy_banks: Mapping[str, int]
    currencies: Mapping[str, Currency]
    openings: set[int]
    helper_parties: dict[tuple[int, Kind], Party]


class _Side(Struct, frozen=True):
    """Represents one side of a split: an account, or the kind of a helper account for openings and reconciliations."""

    account: KnownAccount | None
    helper: Kind | None = None


def find_problem(transaction: SourceTransaction, accounts: Container[str]) -> str | None:
    """Explains why a transaction can never be booked, or returns None. `accounts` are keys of the source."""
    missing = [key for split in transaction.splits for key in (split.source, split.destination) if key not in accounts]
    if missing:
        named = f"“{transaction.description[:80]}” of {transaction.on}"
        return f"{named} names the account {missing[0]!r:.80}, which does not exist."
    if not transaction.splits or not all(split.amount > 0 for split in transaction.splits):
        return f"“{transaction.description[:80]}” of {transaction.on} has an amount that is not above zero."
    return None


def needed_helpers(
    transaction: SourceTransaction, target: TakeoverTarget, opened: set[int]
) -> Iterator[tuple[KnownAccount, Kind]]:
    """Yields the accounts that need a helper account before the transaction is composed, and the helper's kind.

    Adds to `opened` the accounts that get an opening balance. A second one becomes a reconciliation.
    """
    for split in transaction.splits:
        if not _can_be_held(split, target):
            yield from ((account, Kind.RECONCILIATION) for account, _, _ in _money_sides(split, target))
        if not all(key in target.accounts or key in target.helpers for key in (split.source, split.destination)):
            continue  # `compose` reports the missing account
        source, destination = _side(split.source, target), _side(split.destination, target)
        for own, other in ((source, destination), (destination, source)):
            if own.account and other.helper:
                is_opening = other.helper == Kind.INITIAL_BALANCE and own.account.id not in opened
                yield own.account, Kind.INITIAL_BALANCE if is_opening else Kind.RECONCILIATION
                opened |= {own.account.id} if is_opening else set()


def compose(transaction: SourceTransaction, target: TakeoverTarget) -> tuple[list[Entry], list[Finding]]:
    """Composes one entry from a transaction, or several if its splits cannot be in the same entry. Raises Unfitting."""
    findings: list[Finding] = []
    groups: dict[_Group, list[Split]] = defaultdict(list)
    for split in transaction.splits:
        try:
            group, made = _compose_split(transaction, split, target, findings)
        except Unfitting as error:
            group, made = _compose_what_fits(transaction, split, target, error)
            amount = f"{as_text(made.amount.units, made.amount.currency.places)} {made.amount.currency.code}"
            message = f"Only {amount} of “{transaction.description[:80]}” of {transaction.on} was booked: {error}"
            findings.append(Finding(row=transaction.row, message=message))
        groups[group].append(made)
    return [_entry(transaction, group, splits, target) for group, splits in groups.items()], findings


class _Group(Struct, frozen=True):
    """Identifies splits that can be in one entry, because they have the same type and share the accounts that this type
    requires to be the same.
    """

    type: Type
    shared: tuple[int, ...]
    opens: int | None = None


def _compose_split(
    transaction: SourceTransaction, split: SourceSplit, target: TakeoverTarget, findings: list[Finding]
) -> tuple[_Group, Split]:
    source, destination = _side(split.source, target), _side(split.destination, target)
    if source.account and destination.account:
        type_ = _type_of(source.account.kind, destination.account.kind)
        parties, opens = (source.account.party, destination.account.party), None
    else:
        type_, parties, opens = _helped(source, destination, target)
    may_have_budget = type_ == Type.WITHDRAWAL or (type_ == Type.DEPOSIT and split.refund)
    budget = fold(in_one_line(split.budget)) if split.budget and may_have_budget else ""
    made = Split(
        source=parties[0],
        destination=parties[1],
        amount=_money(split, "amount", target, transaction, findings),
        foreign=_money(split, "foreign_amount", target, transaction, findings) if split.foreign_amount else None,
        description=in_one_line(split.description, DESCRIPTION_MAX) or None,
        reconciled=split.reconciled,
        category_id=target.categories.get(fold(in_one_line(split.category))) if split.category else None,
        budget_id=target.budgets.get(budget),
        refund=split.refund and type_ == Type.DEPOSIT,
    )
    if made.source.id == made.destination.id:
        raise Unfitting("its source and its destination are the same account.")
    both = (made.source.id, made.destination.id)
    shared = {Type.WITHDRAWAL: both[:1], Type.DEPOSIT: both[1:]}.get(type_, both)
    return _Group(type=type_, shared=shared, opens=opens), made


def _can_be_held(split: SourceSplit, target: TakeoverTarget) -> bool:
    have_accounts = all(key in target.accounts or key in target.helpers for key in (split.source, split.destination))
    amounts = ((split.amount, split.currency), (split.foreign_amount, split.foreign_currency))
    return have_accounts and all(_find_money(amount, code, target) for amount, code in amounts if amount)


def _to_money(amount: Decimal, code: str | None, target: TakeoverTarget) -> tuple[Money, bool]:
    """Returns the amount, and whether it had to be rounded. Raises Unfitting if it cannot be stored."""
    currency = target.currencies.get((code or "").upper())
    if currency is None:
        raise Unfitting(f"there is no currency “{(code or '')[:20]}”.")
    units, is_rounded = round_to_units(amount, currency)
    if units <= 0:
        raise Unfitting(f"its amount {amount} {currency.code} is not above zero after rounding.")
    return Money(units=units, currency=currency), is_rounded


def _find_money(amount: Decimal, code: str | None, target: TakeoverTarget) -> Money | None:
    """Returns the amount, or None if it cannot be stored in a currency that exists here."""
    try:
        return _to_money(amount, code, target)[0]
    except Unfitting:
        return None


def _compose_what_fits(
    transaction: SourceTransaction, split: SourceSplit, target: TakeoverTarget, error: Unfitting
) -> tuple[_Group, Split]:
    """Composes as much of a split as can be stored. Drops a foreign amount that is only additional information.
    Otherwise, books the money on one side as a reconciliation, for example if the other side consists of shares with
    too many decimal places.
    """
    other = target.accounts.get(split.destination)
    if split.foreign_amount and other and (other.kind not in OWN or other.currency.code == split.currency):
        return _compose_split(transaction, replace(split, foreign_amount=None, foreign_currency=None), target, [])
    sides = list(_money_sides(split, target))
    if len(sides) != 1:
        raise error
    account, money, arrives = sides[0]
    helper = target.helper_parties[account.id, Kind.RECONCILIATION]
    parties = (helper, account.party) if arrives else (account.party, helper)
    made = Split(
        source=parties[0],
        destination=parties[1],
        amount=money,
        description=in_one_line(split.description, DESCRIPTION_MAX) or None,
        reconciled=split.reconciled,
    )
    shared = (made.source.id, made.destination.id)
    return _Group(type=Type.RECONCILIATION, shared=shared), made


def _money_sides(split: SourceSplit, target: TakeoverTarget) -> Iterator[tuple[KnownAccount, Money, bool]]:
    """Yields the user's accounts in a split whose amounts can be booked, the amounts, and whether the money arrives."""
    arrived = (split.foreign_amount or split.amount, split.foreign_currency or split.currency)
    for key, (amount, code), arrives in (
        (split.source, (split.amount, split.currency), False),
        (split.destination, arrived, True),
    ):
        account, money = target.accounts.get(key), _find_money(amount, code, target)
        if account and money and account.kind in OWN and account.currency == money.currency:
            yield account, money, arrives


def _side(key: str, target: TakeoverTarget) -> _Side:
    account = target.accounts.get(key)
    helper = target.helpers.get(key)
    if account is None and helper is None:
        raise Unfitting("one of its accounts is missing.")
    return _Side(account=account, helper=helper.kind if helper and not account else None)


def _type_of(source: Kind, destination: Kind) -> Type:
    if source in OWN:
        return Type.TRANSFER if destination in OWN else Type.WITHDRAWAL
    if destination in OWN:
        return Type.DEPOSIT
    raise Unfitting("neither of its accounts is an asset account or a liability.")


def _helped(source: _Side, destination: _Side, target: TakeoverTarget) -> tuple[Type, tuple[Party, Party], int | None]:
    """Finds type and accounts of a split with a helper account. A second opening balance becomes a reconciliation."""
    own, kind = source.account or destination.account, source.helper or destination.helper
    if own is None or kind is None:
        raise Unfitting("neither of its accounts is an asset account or a liability.")
    type_ = HELPED.get(kind, Type.RECONCILIATION)
    opens = None
    if type_ == Type.OPENING_BALANCE and own.id not in target.openings:
        target.openings.add(own.id)
        opens = own.id
    else:
        type_ = Type.RECONCILIATION
    helper = target.helper_parties[own.id, Kind.INITIAL_BALANCE if opens else Kind.RECONCILIATION]
    return type_, (own.party, helper) if source.account else (helper, own.party), opens


def _money(
    split: SourceSplit, field: str, target: TakeoverTarget, transaction: SourceTransaction, findings: list[Finding]
) -> Money:
    amount = getattr(split, field)
    money, is_rounded = _to_money(amount, split.currency if field == "amount" else split.foreign_currency, target)
    if is_rounded:
        currency = money.currency
        sentence = f"{amount} {currency.code} is rounded to {currency.places} decimal places."
        message = f"“{transaction.description[:80]}”: {sentence}"
        findings.append(Finding(row=transaction.row, field=field, message=message))
    return money


def _entry(transaction: SourceTransaction, group: _Group, splits: Sequence[Split], target: TakeoverTarget) -> Entry:
    tags = [fold(in_one_line(tag)) for tag in transaction.tags]
    whole = in_one_line(transaction.description, DESCRIPTION_MAX) or splits[0].description or NO_DESCRIPTION
    bill_id = target.bills.get(transaction.bill) if transaction.bill and group.type == Type.WITHDRAWAL else None
    may_save = transaction.piggy_bank and group.type == Type.TRANSFER
    full_text = transaction.description if len(transaction.description) > DESCRIPTION_MAX else None
    return Entry(
        type=group.type,
        on=transaction.on,
        description=whole,
        splits=tuple(_named(splits, whole)),
        notes=as_notes(transaction.notes, full_text),
        internal_reference=in_one_line(transaction.internal_reference) or None,
        dates=tuple(transaction.dates.get(name) for name in OTHER_DATES),
        tag_ids=tuple(dict.fromkeys(target.tags[name] for name in tags if name in target.tags)),
        opening_account_id=group.opens,
        bill_id=bill_id,
        bill_by_hand=bill_id is not None,
        piggy_bank_id=target.piggy_banks.get(transaction.piggy_bank or "") if may_save else None,
        details=transaction.details,
    )


def _named(splits: Sequence[Split], whole: str) -> Iterator[Split]:
    """Gives each of several splits a description that differs from the whole entry's. A single split gets none."""
    for number, split in enumerate(splits, 1):
        text = None
        if len(splits) > 1:
            text = split.description if split.description not in (None, whole) else f"{whole[:1000]} ({number})"
        yield replace(split, description=text)
