"""Does an account agree with the bank's statement? Marks what is on it, and books what differs when asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from ..accounts import lifecycle
from ..accounts import store as accounts
from ..accounts.model import Account
from ..cleaned import Indexed
from ..currencies.wire import units
from ..errors import Problem, refuse, refuse_field
from ..fields import Parsed, parse, required
from ..ledger.entry import Entry, Party, Split
from ..ledger.kinds import Kind, Type
from ..money import UNITS_MAX, Money
from ..storage.unit import Unit
from . import lines, record
from .model import OWN
from .wire import ReconcileBody


@dataclass(frozen=True)
class Statement:
    """What the bank says: so much on the account at the end of the day, and these splits led to it."""

    on: date
    units: int
    split_ids: tuple[int, ...]
    books_difference: bool


@dataclass(frozen=True)
class Reconciled:
    """How the account stands afterwards, on the day of the statement and without the virtual balance."""

    statement: Statement
    balance_units: int
    reconciled_units: int
    entry_id: int | None

    @property
    def difference_units(self) -> int:
        return self.statement.units - self.reconciled_units


def read(db: Unit, user_id: int, account: Account, raw: Mapping[str, object]) -> Statement:
    """Ids may come as a list, as form fields or with commas between."""
    ids = raw.get("transactions")
    parsed = parse(ReconcileBody, {**raw, "transactions": str(ids).split(",")} if isinstance(ids, str | int) else raw)
    values = parsed.values
    problems = [*parsed.problems, *required(parsed, "date", "statement_balance")]
    problems += _kind_problems(account)
    balance = units(parsed, "statement_balance", account.currency, problems)
    problems += _split_problems(db, user_id, account, parsed)
    refuse(problems)
    assert values.date is not None
    assert balance is not None
    split_ids = tuple(dict.fromkeys(values.transactions or ()))
    return Statement(values.date, balance, split_ids, bool(values.book_difference))


def _kind_problems(account: Account) -> list[Problem]:
    if account.kind in OWN:
        return []
    return [Problem("id", "Only asset accounts and liabilities can be reconciled.")]


def held_on(db: Unit, user_id: int, account: Account, day: date) -> tuple[int, int]:
    """What the account holds at the end of the day, and the part of it that is marked: where a comparison begins."""
    refuse(_kind_problems(account))
    return accounts.held_on(db, user_id, account, day)


def _split_problems(db: Unit, user_id: int, account: Account, parsed: Parsed[ReconcileBody]) -> Iterator[Problem]:
    sent, wanted = parsed.raw.get("transactions"), parsed.values.transactions or []
    if not wanted:
        return
    assert isinstance(sent, Indexed)
    days = lines.days_of_splits(db, user_id, account.id, wanted)
    last = parsed.values.date.isoformat() if parsed.values.date else None
    for label, split_id in zip(sent.labels, wanted, strict=True):
        key = f"transactions.{label}"
        if split_id not in days:
            yield Problem(key, f"The selected {key} is invalid: there is no such transaction of this account.")
        elif last and days[split_id] > last:
            yield Problem(key, f"The selected {key} is invalid: it is dated {days[split_id]}, after the statement.")


def reconcile(db: Unit, user_id: int, account: Account, statement: Statement, now: str) -> Reconciled:
    record.mark_reconciled(db, user_id, list(statement.split_ids), now, amount_field="transactions")
    balance, reconciled = accounts.held_on(db, user_id, account, statement.on)
    difference = statement.units - reconciled
    if not difference or not statement.books_difference:
        return Reconciled(statement, balance, reconciled, None)
    entry_id = _book(db, user_id, account, statement.on, difference, now)
    return Reconciled(statement, balance + difference, statement.units, entry_id)


def _book(db: Unit, user_id: int, account: Account, on: date, difference: int, now: str) -> int:
    """Between the account and its helper, as if the bank had booked it that day: it is reconciled from the start."""
    if abs(difference) > UNITS_MAX:
        refuse_field("statement_balance", "The difference is more than 64 bits hold.")
    helper_id = lifecycle.helper(db, user_id, account.id, Kind.RECONCILIATION, account.name, account.currency, now)
    own, helper = Party(account.id, account.currency), Party(helper_id, account.currency)
    source, destination = (helper, own) if difference > 0 else (own, helper)
    entry = Entry(
        type=Type.RECONCILIATION,
        on=on,
        description=f"Reconciliation of {account.name}",
        splits=(Split(source, destination, Money(abs(difference), account.currency), reconciled=True),),
    )
    return record.record(db, user_id, entry, now, amount_field="statement_balance")
