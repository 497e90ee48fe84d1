"""Decides whether a row fits a transaction that is there, or is the other half of a transfer; pure."""

import re

from msgspec import Struct

from farthing.books.transactions.model import KnownAccount
from farthing.kernel.text import fold, pluralize
from farthing.ledger.kinds import Type

from .memory import NEAR, NearEntry
from .own_accounts import OwnAccounts
from .settle import SettledRow, normalize

# Words by which banks call a transfer between two accounts of one owner.
_TRANSFER = re.compile(
    r"transfer|umbuchung|übertrag|uebertrag|virement|overboeking|overschrijving|giroconto|traspaso|transferencia"
    r"|transferência|przelew|överföring|overføring|overførsel|\bown\b|eigen|savings|sparen|épargne|ahorro"
)
_WORD = re.compile(r"\w+")


class Half(Struct, frozen=True, kw_only=True):
    """One side of what may be a transfer, as far as it is known."""

    account: KnownAccount
    payee: str | None
    payee_account: str | None
    text: str


class LinkOffer(Struct, frozen=True, kw_only=True):
    """A transaction that a row may be; `score` is out of a hundred."""

    entry: NearEntry
    score: int
    reason: str


def half_of_row(one: SettledRow) -> Half:
    row = one.row
    payee = row.transfer_account or row.payee
    return Half(account=one.account, payee=payee, payee_account=row.payee_account, text=row.description)


def half_of_entry(entry: NearEntry, own: OwnAccounts) -> Half | None:
    """The imported half of a transfer: a withdrawal or a deposit that came from a file of its own account."""
    outgoing = entry.type == Type.WITHDRAWAL
    own_id = entry.source_id if outgoing else entry.destination_id
    account = own.by_id.get(own_id)
    if account is None or entry.type == Type.TRANSFER or own_id not in entry.imported_for:
        return None
    payee = entry.destination_name if outgoing else entry.source_name
    return Half(account=account, payee=payee, payee_account=None, text=entry.text)


def is_near(one: SettledRow, entry: NearEntry) -> bool:
    same = entry.units == one.money.units and entry.currency_id == one.money.currency.id
    return same and abs(entry.on - one.row.on) <= NEAR


def is_on_its_side(one: SettledRow, entry: NearEntry) -> bool:
    """Whether the transaction moves money on the row's account in the row's direction."""
    return one.account.id == (entry.source_id if one.outgoing else entry.destination_id)


def are_halves(first: Half, second: Half, own: OwnAccounts) -> bool:
    """Opposite amounts near each other are a transfer, unless what else they say speaks against it."""
    if first.account.id == second.account.id or first.account.currency != second.account.currency:
        return False
    told = [_names(first, second, own), _names(second, first, own)]
    if False in told:
        return False
    return True in told or not _have_different_payees(first, second)


def _names(half: Half, other: Half, own: OwnAccounts) -> bool | None:
    """Whether the half names the other's account; None if it names none."""
    if half.payee_account:
        found = own.find_number(half.payee_account)
        return found is not None and found.id == other.account.id
    found = own.find_name(half.payee)
    return found.id == other.account.id if found else None


def _have_different_payees(first: Half, second: Half) -> bool:
    """Two strangers, and no word of a transfer: then it is a coincidence of two amounts."""
    if not first.payee or not second.payee or normalize(first.payee) == normalize(second.payee):
        return False
    texts = (first.payee, first.text, second.payee, second.text)
    return not any(_TRANSFER.search(fold(text)) for text in texts)


def offer(one: SettledRow, entry: NearEntry) -> LinkOffer:
    days = abs((entry.on - one.row.on).days)
    row_words = set(_WORD.findall(fold(f"{one.row.payee or ''} {one.row.description}")))
    other = entry.destination_name if one.outgoing else entry.source_name
    shared = row_words & set(_WORD.findall(fold(f"{entry.text} {other}")))
    score = 70 - 10 * days + (30 if shared else 0)
    reason = "The same amount, " + ("on the same day" if not days else f"{pluralize(days, 'day')} apart")
    return LinkOffer(entry=entry, score=score, reason=reason + (", with words in common." if shared else "."))
