"""Reads a bank statement, and shows the account after it was reconciled with the statement."""

from collections.abc import Mapping
from datetime import date

from msgspec import Struct
from msgspec.structs import asdict

from farthing.books.accounts.model import Account
from farthing.books.currencies.choose import read_units
from farthing.books.lifecycle.reconcile import ReconcileResult, Statement, kind_problems
from farthing.books.transactions import lines
from farthing.http.request.call import Call
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Indexed, Parsed, ensure
from farthing.kernel.shown import Number, ShownDay, number
from farthing.storage.unit import Unit

from ..serializers.currencies import currency_fields
from ..serializers.transactions import TransactionThing, things
from .wire import ReconcileBody


def read(db: Unit, user_id: int, account: Account, raw: Mapping[str, object]) -> Statement:
    """Reads the statement. Transaction ids may be sent as a list, as form fields or as comma-separated text."""
    ids = raw.get("transactions")
    parsed = parse(ReconcileBody, {**raw, "transactions": str(ids).split(",")} if isinstance(ids, str | int) else raw)
    values = parsed.values
    parsed.require("date", "statement_balance")
    parsed.report_all(kind_problems(account))
    balance = read_units(parsed, "statement_balance", account.currency)
    _check_splits(db, user_id, account, parsed)
    parsed.finish()
    return Statement(
        on=ensure(values.date),
        units=ensure(balance),
        split_ids=tuple(dict.fromkeys(values.transactions or ())),
        books_difference=bool(values.book_difference),
    )


def _check_splits(db: Unit, user_id: int, account: Account, parsed: Parsed[ReconcileBody]) -> None:
    sent, split_ids = parsed.raw.get("transactions"), parsed.values.transactions or []
    if not split_ids:
        return
    assert isinstance(sent, Indexed)
    days = lines.days_of_splits(db, user_id, account.id, split_ids)
    last = parsed.values.date.isoformat() if parsed.values.date else None
    for index, split_id in zip(sent.labels, split_ids, strict=True):
        key = f"transactions.{index}"
        if split_id not in days:
            parsed.report(key, f"The selected {key} is invalid: this account has no such transaction.")
        elif last and days[split_id] > last:
            parsed.report(key, f"The selected {key} is invalid: its date, {days[split_id]}, is after the statement.")


class Standing(Struct):
    """Shows an account at the end of a day. `balance` includes all its transactions, `reconciled_balance` only those
    that are reconciled, that is, found on bank statements. Neither includes the virtual balance.
    """

    account_id: int
    date: ShownDay
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    balance: Number
    reconciled_balance: Number


class Reconciliation(Standing):
    """Shows the reconciled account on the day of the statement. No balance includes the virtual balance.

    `marked` lists the ids that were sent, and `booked` is the transaction that books the difference, if there is one.
    """

    statement_balance: Number
    difference: Number
    marked: list[str]
    booked: TransactionThing | None


def standing(account: Account, on: date, balance_units: int, reconciled_units: int) -> Standing:
    currency = account.currency
    return Standing(
        account_id=account.id,
        date=on.isoformat(),
        **currency_fields(currency),
        balance=number(balance_units, currency.places),
        reconciled_balance=number(reconciled_units, currency.places),
    )


def reconciliation(call: Call, account: Account, done: ReconcileResult) -> Reconciliation:
    currency, statement = account.currency, done.statement
    booked = lines.of_entries(call.db, call.user_id, [done.entry_id]) if done.entry_id else []
    stands = standing(account, statement.on, done.balance_units, done.reconciled_units)
    return Reconciliation(
        **asdict(stands),
        statement_balance=number(statement.units, currency.places),
        difference=number(done.difference_units, currency.places),
        marked=[str(split_id) for split_id in statement.split_ids],
        booked=things(call, booked, account.id)[0] if booked else None,
    )
