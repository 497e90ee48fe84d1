"""Sets, lists and removes the values of accounts that are valued by hand."""

from datetime import date

from msgspec import Struct

from farthing.books.accounts.model import Account
from farthing.books.currencies.choose import read_units
from farthing.books.lifecycle import valuation
from farthing.http.answer.document import All, Item
from farthing.http.request.call import NOTHING, Answer, Call
from farthing.kernel.errors import NotFound, refuse
from farthing.kernel.fields import parse
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Number, ShownDay, number
from farthing.overviews.running_balance import balances_after

from .wire import ValuationBody, ValuationQuery


class Valuation(Struct):
    """Shows the value of an account at the end of a day, and the change since the previous balance.

    `transaction_id` is the transaction that books the change. It is null if the value did not change.
    """

    date: ShownDay
    amount: Number
    change: Number
    currency_code: str
    transaction_id: str | None


def set_value(call: Call, account: Account) -> Answer:
    parsed = parse(ValuationBody, call.fields)
    parsed.require("date", "amount")
    parsed.report_all(valuation.find_problems(account, parsed.values.date))
    units = read_units(parsed, "amount", account.currency)
    parsed.finish()
    day = ensure(parsed.values.date)
    valuation.set_value(call.db, call.user_id, account, day, ensure(units), call.now)
    shown = _show(call, account, day) or [_unchanged(account, day, ensure(units))]
    return Answer(Item(shown[0]))


def index(call: Call, account: Account) -> Answer:
    call.days()  # as at every address, even if the account has no values
    refuse(valuation.find_problems(account, None))
    return Answer(All(_show(call, account, None)))


def remove(call: Call, account: Account) -> Answer:
    parsed = parse(ValuationQuery, call.query)
    parsed.require("date")
    parsed.report_all(valuation.find_problems(account, parsed.values.date))
    parsed.finish()
    if not valuation.remove_value(call.db, call.user_id, account, ensure(parsed.values.date), call.now):
        raise NotFound
    return NOTHING


def _unchanged(account: Account, day: date, units: int) -> Valuation:
    places, code = account.currency.places, account.currency.code
    return Valuation(
        date=day.isoformat(), amount=number(units, places), change=number(0, places), currency_code=code,
        transaction_id=None,
    )  # fmt: skip


def _show(call: Call, account: Account, day: date | None) -> list[Valuation]:
    """Shows the value of the given day, or all values, newest first."""
    booked = [
        change
        for change in valuation.list_changes(call.db, call.user_id, account)
        if day is None or change.on_day == day.isoformat()
    ]
    after = balances_after(call.db, call.user_id, account, {change.on_day for change in booked})
    places, code = account.currency.places, account.currency.code
    return [
        Valuation(
            date=change.on_day,
            amount=number(after[change.split_id] - account.virtual_units, places),
            change=number(change.units, places),
            currency_code=code,
            transaction_id=str(change.split_id),
        )
        for change in reversed(booked)
    ]
