"""Defines piggy banks, their events, and the limits on moving money into and out of them."""

from collections.abc import Collection, Iterator, Mapping
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from farthing.kernel.money import Currency
from farthing.ledger.entry import Entry, book_splits
from farthing.ledger.kinds import Type

_MONTHS = 12
_PERCENT = 100
# The target of a piggy bank without a target: there is always room for more.
NO_TARGET = 2**63 - 1
ACCOUNTS_MAX = 100


class PiggyBankDraft(Struct, frozen=True):
    """Describes a piggy bank to be stored. `shares` maps each of its accounts to what it holds, in order.

    If `order` is None, a new piggy bank is last, and a stored one stays where it is.
    """

    name: str
    shares: Mapping[int, int]
    target_units: int
    start_on: date | None
    target_on: date | None
    notes: str | None
    order: int | None
    object_group_id: int | None = None

    @property
    def current_units(self) -> int:
        return sum(self.shares.values())


class PiggyBank(Struct, frozen=True):
    """A stored piggy bank, with the first of its accounts. All are in one currency; `order` starts at 1."""

    id: int
    name: str
    account_id: int
    account_name: str
    currency: Currency
    target_units: int
    current_units: int
    start_on: str | None
    target_on: str | None
    order: int
    active: bool
    notes: str | None
    created_at: str
    updated_at: str
    object_group_id: int | None = None
    object_group_title: str | None = None
    object_group_order: int | None = None

    @property
    def has_target(self) -> bool:
        return self.target_units != NO_TARGET

    @property
    def left_units(self) -> int:
        """Returns how much is missing; 0 if there is no target."""
        return self.target_units - self.current_units if self.has_target else 0

    @property
    def percentage(self) -> int:
        """Returns how full the piggy bank is, in percent. Rounds down, so that 100 means full."""
        return self.current_units * _PERCENT // self.target_units

    def units_per_month(self, today: date) -> int:
        """Returns the amount to save per month to reach the target by its date; 0 if the date is missing or past.

        In the last month, this is the whole missing amount.
        """
        target_on = date.fromisoformat(self.target_on) if self.target_on else None
        if target_on is None or target_on < today:
            return 0
        months = max(1, whole_months(today, target_on))
        return (2 * self.left_units + months) // (2 * months)


class PiggyBankEvent(Struct, frozen=True):
    """Records money put into a piggy bank or, if `units` is negative, taken out of it.

    `entry_id` is None if the money was moved by hand, or if the event has been detached from its transfer.
    """

    id: int
    piggy_bank_id: int
    entry_id: int | None
    units: int
    on: str
    created_at: str
    account_id: int
    currency: Currency


class Share(Struct, frozen=True):
    """One of the accounts of a piggy bank, and how much of the piggy bank it holds. The first one has `share_id` 0."""

    share_id: int
    account_id: int
    account_name: str
    units: int


class Pot(Struct, frozen=True):
    """Holds the amounts of a piggy bank that limit how much money can be added or removed."""

    id: int
    target_units: int
    shares: tuple[Share, ...]

    @property
    def current_units(self) -> int:
        return sum(share.units for share in self.shares)

    def account_id_of(self, event_account_id: int | None) -> int:
        """Returns the account of an event. Events of the first account do not name it."""
        return self.shares[0].account_id if event_account_id is None else event_account_id

    def move(self, units_by_account: Mapping[int, int]) -> "Iterator[tuple[Pot, int | None, int]]":
        """Moves amounts into or out of accounts as far as there is room, and yields the pot after each move.

        No account drops below zero, and the piggy bank does not exceed its target. Yields the account as events name
        it, and the amount moved. Money leaves before money comes in.
        """
        pot = self
        for at, share in sorted(enumerate(self.shares), key=lambda item: units_by_account.get(item[1].account_id, 0)):
            room = min(units_by_account.get(share.account_id, 0), self.target_units - pot.current_units)
            if units := max(-share.units, room):
                filled = replace(share, units=share.units + units)
                pot = replace(pot, shares=(*pot.shares[:at], filled, *pot.shares[at + 1 :]))
                yield pot, share.account_id if at else None, units


def divide(stored: Mapping[int, int], sent: Mapping[int, int | None], total: int | None) -> dict[int, int]:
    """Decides what each account of a piggy bank holds, given what was sent for it. An amount not sent is kept.

    What accounts hold that are no longer listed goes to the first account, unless its amount was sent. A new total
    fills the first account, or empties the accounts in their order; amounts of accounts take precedence over it.
    """
    shares = {account_id: stored.get(account_id, 0) if units is None else units for account_id, units in sent.items()}
    first = next(iter(shares))
    if sent[first] is None:
        shares[first] += sum(units for account_id, units in stored.items() if account_id not in sent)
    if total is not None and all(units is None for units in sent.values()):
        missing = total - sum(shares.values())
        shares[first] += max(0, missing)
        for account_id, units in shares.items():
            taken = min(units, max(0, -missing))
            shares[account_id], missing = units - taken, missing + taken
    return shares


def whole_months(start: date, end: date) -> int:
    months = (end.year - start.year) * _MONTHS + end.month - start.month
    return months - 1 if end.day < start.day else months


def misfit(type_: Type | None, account_ids: Collection[int], side_ids: Collection[int]) -> str | None:
    """Returns why a transaction cannot use a piggy bank on these accounts, as the end of a sentence; None if it can."""
    if type_ != Type.TRANSFER:
        return "works only for transfers"
    if not set(account_ids) & set(side_ids):
        return "must identify a piggy bank on one of the two accounts"
    return None


def sides(entry: Entry) -> set[int]:
    return {party.id for split in entry.splits for party in (split.source, split.destination)}


def units_moved(entry: Entry, account_id: int) -> int:
    """Returns how much the transfer adds to the account; negative if the transfer takes money out of the account.

    Ignores amounts in other currencies than the account's own.
    """
    parties = {party.id: party for split in entry.splits for party in (split.source, split.destination)}
    currency_id = parties[account_id].currency.id
    units = 0
    for split in book_splits(entry):
        if (split.destination_id, split.arrived_currency_id) == (account_id, currency_id):
            units += split.arrived_units
        if (split.source_id, split.left_currency_id) == (account_id, currency_id):
            units -= split.left_units
    return units
