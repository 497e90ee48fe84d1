"""Decides whether a row is the other half of a transfer. Has no side effects."""

import re
from datetime import timedelta
from enum import IntEnum

from msgspec import Struct

from farthing.books.transactions.model import KnownAccount
from farthing.kernel.text import fold
from farthing.ledger.kinds import Type

from .near_transactions import NEAR, NEAR_NAMED, NearEntry
from .own_accounts import OwnAccounts
from .settle import SettledRow, normalize

# Words that banks use for a transfer between two accounts of one owner.
_TRANSFER = re.compile(
    r"transfer|umbuchung|übertrag|uebertrag|virement|overboeking|overschrijving|giroconto|traspaso|transferencia"
    r"|transferência|przelew|överföring|overføring|overførsel|\bown\b|eigen|savings|sparen|épargne|ahorro"
)


class Likeness(IntEnum):
    """Rates how likely two halves belong to one transfer. `NAMED` means that one half names the other's account."""

    LIKELY = 1
    NAMED = 2

    @property
    def reach(self) -> timedelta:
        """Returns how far apart the days of the two halves may be."""
        return NEAR_NAMED if self == Likeness.NAMED else NEAR


class Half(Struct, frozen=True, kw_only=True):
    account: KnownAccount
    payee: str | None
    payee_account: str | None
    text: str


def half_of_row(settled: SettledRow) -> Half:
    row = settled.row
    payee = row.transfer_account or row.payee
    return Half(account=settled.account, payee=payee, payee_account=row.payee_account, text=row.description)


def half_of_entry(entry: NearEntry, own: OwnAccounts) -> Half | None:
    """Returns a withdrawal or deposit that came from a file of its own account as possible half of a transfer. Returns
    None for all other transactions.
    """
    outgoing = entry.type == Type.WITHDRAWAL
    own_id = entry.source_id if outgoing else entry.destination_id
    account = own.by_id.get(own_id)
    if account is None or entry.type == Type.TRANSFER or own_id not in entry.imported_for:
        return None
    payee = entry.destination_name if outgoing else entry.source_name
    return Half(account=account, payee=payee, payee_account=None, text=entry.text)


def is_near(settled: SettledRow, entry: NearEntry, days: timedelta = NEAR) -> bool:
    return abs(entry.on - settled.row.on) <= days


def is_on_its_side(settled: SettledRow, entry: NearEntry) -> bool:
    """Tells whether the transaction moves money on the row's account in the row's direction."""
    return settled.account.id == (entry.source_id if settled.outgoing else entry.destination_id)


def find_likeness(settled: SettledRow, entry: NearEntry, own: OwnAccounts) -> Likeness | None:
    """Rates how certainly the row is the other half of a transaction from another account's file; None if it is not."""
    if entry.is_split or not entry.imported_for or settled.account.id in entry.imported_for:
        return None
    likeness = _like_transfer(settled, entry, own) if entry.type == Type.TRANSFER else _like_half(settled, entry, own)
    return likeness if likeness and is_near(settled, entry, likeness.reach) else None


def _like_transfer(settled: SettledRow, entry: NearEntry, own: OwnAccounts) -> Likeness | None:
    """Rates a stored transfer for which only the file of the other account was imported so far."""
    other = own.by_id.get(entry.destination_id if settled.outgoing else entry.source_id)
    if (
        other is None
        or not is_on_its_side(settled, entry)
        or settled.amount not in (entry.amount, entry.foreign_amount)
    ):
        return None
    match _names(half_of_row(settled), other, own):
        case None:
            return Likeness.LIKELY
        case is_named:
            return Likeness.NAMED if is_named else None


def _like_half(settled: SettledRow, entry: NearEntry, own: OwnAccounts) -> Likeness | None:
    """Rates a stored withdrawal or deposit that moves the money in the opposite direction."""
    if entry.reconciled or entry.type != (Type.DEPOSIT if settled.outgoing else Type.WITHDRAWAL):
        return None
    half = half_of_entry(entry, own)
    if half is None or not _have_amounts(settled, entry, half.account):
        return None
    return compare_halves(half_of_row(settled), half, own)


def _have_amounts(settled: SettledRow, entry: NearEntry, other: KnownAccount) -> bool:
    """Tells whether the amounts are the same. If the accounts have two currencies, one half must state both amounts."""
    if settled.account.currency == other.currency:
        return settled.amount == entry.amount
    if settled.money.currency != settled.account.currency or entry.currency_id != other.currency.id:
        return False
    foreign = settled.foreign and (settled.foreign.currency.id, settled.foreign.units)
    return foreign == entry.amount or settled.amount == entry.foreign_amount


def compare_halves(first: Half, second: Half, own: OwnAccounts) -> Likeness | None:
    """Decides whether halves with opposite amounts are one transfer: yes, unless their details disagree."""
    if first.account.id == second.account.id:
        return None
    are_named = [_names(first, second.account, own), _names(second, first.account, own)]
    if False in are_named:
        return None
    if True in are_named:
        return Likeness.NAMED
    return None if _have_different_payees(first, second) else Likeness.LIKELY


def _names(half: Half, other: KnownAccount, own: OwnAccounts) -> bool | None:
    """Tells whether the half names the other half's account. Returns None if it names no account."""
    account = own.find_number(half.payee_account)
    if half.payee_account and (account is None or account.id != half.account.id):
        return account is not None and account.id == other.id
    account = own.find_name(half.payee)
    return account.id == other.id if account and account.id != half.account.id else None


def _have_different_payees(first: Half, second: Half) -> bool:
    """Tells whether the halves name different payees and neither mentions a transfer, so that they match by chance."""
    if not first.payee or not second.payee or normalize(first.payee) == normalize(second.payee):
        return False
    texts = (first.payee, first.text, second.payee, second.text)
    return not any(_TRANSFER.search(fold(text)) for text in texts)
