"""Defines piggy banks, their events, and the limits on moving money into and out of them."""

from collections.abc import Collection
from datetime import date

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.ledger.entry import Entry, book_splits
from farthing.ledger.kinds import Type

_MONTHS = 12
_PERCENT = 100
# The target of a piggy bank without a target: there is always room for more.
NO_TARGET = 2**63 - 1


class PiggyBankDraft(Struct, frozen=True):
    """If `current_units` or `order` is None, an update keeps the stored value. A new piggy bank is empty and last."""

    name: str
    account_id: int
    target_units: int
    current_units: int | None
    start_on: date | None
    target_on: date | None
    notes: str | None
    order: int | None
    object_group_id: int | None = None


class PiggyBank(Struct, frozen=True):
    """A stored piggy bank. Amounts are in the currency of its account; `order` starts at 1."""

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
    currency: Currency


class Pot(Struct, frozen=True):
    """Holds the amounts of a piggy bank that limit how much money can be added or removed."""

    id: int
    account_id: int
    target_units: int
    current_units: int

    def room_for(self, units: int) -> int:
        """Limits `units` so that the piggy bank neither exceeds its target nor drops below zero."""
        return max(-self.current_units, min(units, self.target_units - self.current_units))


def whole_months(start: date, end: date) -> int:
    months = (end.year - start.year) * _MONTHS + end.month - start.month
    return months - 1 if end.day < start.day else months


def misfit(type_: Type | None, account_id: int, side_ids: Collection[int]) -> str | None:
    """Returns why a transaction cannot use a piggy bank on this account, as the end of a sentence; None if it can."""
    if type_ != Type.TRANSFER:
        return "works only for transfers"
    if account_id not in side_ids:
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
