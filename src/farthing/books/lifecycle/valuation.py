"""Values property, vehicles and investments by hand.

A value is booked as the difference from the balance, against the account's reconciliation account. So the balance at
the end of that day is the value, and code that reads balances need not know about values.
"""

from collections.abc import Sequence
from datetime import date

from msgspec import Struct

from farthing.kernel.errors import Problem, refuse_field
from farthing.kernel.money import UNITS_MAX, Money
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Kind, Type
from farthing.storage.unit import Unit

from ..accounts import store as accounts
from ..accounts.model import VALUED_ROLES, Account
from ..bookkeeping import record
from . import accounts as lifecycle

LISTED_MAX = 1000


class ValueChange(Struct, frozen=True):
    """Holds the difference that was booked on a day to set the balance to the value. There is at most one per day."""

    entry_id: int
    split_id: int
    on_day: str
    units: int


def find_problems(account: Account, on: date | None) -> list[Problem]:
    if account.role not in VALUED_ROLES:
        return [Problem("id", "Only accounts for property, vehicles and investments are valued by hand.")]
    if on and account.opening_on and on.isoformat() < account.opening_on:
        return [Problem("date", f"The date must be on or after the opening date, {account.opening_on}.")]
    return []


def list_changes(db: Unit, user_id: int, account: Account) -> list[ValueChange]:
    """Lists the changes of the value, oldest first."""
    helper_id = accounts.helper_of(db, user_id, account.id, Kind.RECONCILIATION)
    of_account = "user_id = :user_id AND {side} = :helper_id AND type = :type"
    return db.structs(
        ValueChange,
        f"""
        SELECT entry_id, id AS split_id, on_day, units FROM splits WHERE {of_account.format(side="source_id")}
        UNION ALL
        SELECT entry_id, id, on_day, -units FROM splits WHERE {of_account.format(side="destination_id")}
        ORDER BY on_day, entry_id LIMIT {LISTED_MAX}
        """,
        user_id=user_id,
        helper_id=helper_id or 0,
        type=int(Type.RECONCILIATION),
    )


def set_value(db: Unit, user_id: int, account: Account, on: date, units: int, now: str) -> None:
    """Sets the value at the end of a day. Later values stay as they are."""
    balance, _ = accounts.read_balance_on(db, user_id, account, on)
    _shift(db, user_id, account, on, units - balance, now)


def remove_value(db: Unit, user_id: int, account: Account, on: date, now: str) -> bool:
    """Removes the value of a day. Returns False if it has none."""
    found = [change for change in list_changes(db, user_id, account) if change.on_day == on.isoformat()]
    if found:
        _shift(db, user_id, account, on, -found[-1].units, now)
    return bool(found)


def _shift(db: Unit, user_id: int, account: Account, on: date, units: int, now: str) -> None:
    """Adds an amount to the balance from the given day until the day before the next value, which stays the same."""
    booked, day = list_changes(db, user_id, account), on.isoformat()
    same = [change for change in booked if change.on_day == day][-1:]
    following = [change for change in booked if change.on_day > day][:1]
    _book(db, user_id, account, same, on, units, now)
    if following:
        _book(db, user_id, account, following, date.fromisoformat(following[0].on_day), -units, now)


def _book(
    db: Unit, user_id: int, account: Account, stored: Sequence[ValueChange], on: date, more: int, now: str
) -> None:
    """Adds `more` to the difference that is booked on a day. Deletes the entry if the difference becomes zero."""
    units = sum(change.units for change in stored) + more
    if not more:
        return
    if not units:
        record.erase(db, user_id, [change.entry_id for change in stored], amount_field="amount")
        return
    if abs(units) > UNITS_MAX:
        refuse_field("amount", "The change of the value is too large to store.")
    currency = account.currency
    helper_id = lifecycle.ensure_helper(db, user_id, account.id, Kind.RECONCILIATION, account.name, currency, now)
    own, helper = Party(account.id, currency), Party(helper_id, currency)
    source, destination = (helper, own) if units > 0 else (own, helper)
    entry = Entry(
        type=Type.RECONCILIATION,
        on=on,
        description=f"Value of {account.name}",
        splits=(Split(source, destination, Money(abs(units), currency)),),
    )
    if stored:
        record.rewrite(db, user_id, stored[0].entry_id, entry, now, amount_field="amount")
    else:
        record.record(db, user_id, entry, now, amount_field="amount")
