"""Reconciles an account with a bank statement: marks splits as reconciled and, if requested, books the difference."""

from datetime import date

from msgspec import Struct

from farthing.kernel.errors import Problem, refuse, refuse_field
from farthing.kernel.money import UNITS_MAX, Money
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Kind, Type
from farthing.storage.unit import Unit

from ..accounts import store as accounts
from ..accounts.model import Account
from ..bookkeeping import record
from ..transactions.model import OWN
from . import accounts as lifecycle


class Statement(Struct, frozen=True):
    """Describes a bank statement: the balance at the end of the day `on`, and the splits that it contains."""

    on: date
    units: int
    split_ids: tuple[int, ...]
    books_difference: bool


class ReconcileResult(Struct, frozen=True):
    """Holds the balances after reconciling, at the end of the statement's day and without the virtual balance."""

    statement: Statement
    balance_units: int
    reconciled_units: int
    entry_id: int | None

    @property
    def difference_units(self) -> int:
        return self.statement.units - self.reconciled_units


def kind_problems(account: Account) -> list[Problem]:
    if account.kind in OWN:
        return []
    return [Problem("id", "Only asset accounts and liabilities can be reconciled.")]


def read_balance(db: Unit, user_id: int, account: Account, day: date) -> tuple[int, int]:
    """Returns the balance at the end of the day, and how much of it is reconciled, to compare them with a statement."""
    refuse(kind_problems(account))
    return accounts.read_balance_on(db, user_id, account, day)


def reconcile(db: Unit, user_id: int, account: Account, statement: Statement, now: str) -> ReconcileResult:
    record.mark_reconciled(db, user_id, list(statement.split_ids), now, amount_field="transactions")
    balance, reconciled = accounts.read_balance_on(db, user_id, account, statement.on)
    entry_id, difference = None, statement.units - reconciled
    if difference and statement.books_difference:
        entry_id = _book(db, user_id, account, statement.on, difference, now)
        balance, reconciled = balance + difference, statement.units
    return ReconcileResult(statement=statement, balance_units=balance, reconciled_units=reconciled, entry_id=entry_id)


def _book(db: Unit, user_id: int, account: Account, on: date, difference: int, now: str) -> int:
    """Books the difference against the helper account, on the statement's day and already marked as reconciled."""
    if abs(difference) > UNITS_MAX:
        refuse_field("statement_balance", "The difference is too large to store.")
    name, currency = account.name, account.currency
    helper_id = lifecycle.ensure_helper(db, user_id, account.id, Kind.RECONCILIATION, name, currency, now)
    own, helper = Party(account.id, currency), Party(helper_id, currency)
    source, destination = (helper, own) if difference > 0 else (own, helper)
    entry = Entry(
        type=Type.RECONCILIATION,
        on=on,
        description=f"Reconciliation of {account.name}",
        splits=(Split(source, destination, Money(abs(difference), currency), reconciled=True),),
    )
    return record.record(db, user_id, entry, now, amount_field="statement_balance")
