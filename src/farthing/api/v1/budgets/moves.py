"""Moves money between budgets."""

from typing import Annotated

from msgspec import Struct
from pydantic import Field

from farthing.books.budgets import store as budgets
from farthing.books.currencies.choose import choose_or_primary, read_units
from farthing.books.lifecycle.money_moves import MoneyMove, move_money
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.route import Route
from farthing.kernel.fields import Id, PositiveAmount, RequestBody, described, parse, text
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed, ensure
from farthing.kernel.shown import Number, number
from farthing.overviews.budget_months.find import find_carried

from .months import Month

_REQUIRED = ("amount", "month")


class MoveMoneyBody(RequestBody):
    """`from` and `to` are ids of budgets. If `from` is omitted, unbudgeted money is moved. If `to` is omitted, the
    money becomes unbudgeted.

    The money is taken from the budget's limit first, and then from what it has carried over. `month` is a month such as
    `2024-05`.
    """

    from_id: Id | None = Field(None, alias="from")
    to: Id | None = None
    amount: PositiveAmount | None = None
    month: Month | None = None
    currency_id: Id | None = described("If both this and `currency_code` are omitted, your primary currency is used.")
    currency_code: Annotated[str, text(3)] | None = None


class MovedMoneyShown(Struct, gc=False):
    """Holds the new limits of both budgets in the month. A limit is null if its budget was omitted."""

    from_limit: Number | None
    to_limit: Number | None


def move(call: Call) -> Answer:
    parsed = parse(MoveMoneyBody, call.fields)
    values = parsed.values
    parsed.require(*_REQUIRED)
    _check_budgets(call, parsed)
    currency = choose_or_primary(call.db, parsed, call.caller.currency_code)
    units = read_units(parsed, "amount", currency)
    parsed.finish()
    chosen = ensure(currency)
    month = ensure(values.month)
    wanted = MoneyMove(
        from_id=values.from_id,
        to_id=values.to,
        units=ensure(units),
        currency=chosen,
        month=month,
        carried_units=_find_carried(call, values.from_id, chosen, month),
    )
    moved = move_money(call.db, call.user_id, wanted, call.now)
    limits = (None if units is None else number(units, chosen.places) for units in (moved.from_units, moved.to_units))
    return Answer(Item(MovedMoneyShown(*limits)))


def _find_carried(call: Call, budget_id: int | None, currency: Currency, month: int) -> int:
    """Returns what the budget has carried into the month. Without a budget, nothing is carried over."""
    if budget_id is None:
        return 0
    every = budgets.all_of(call.db, call.user_id, {budget_id})
    carried = find_carried(call.db, call.user_id, every, [range(month, month + 1)])
    in_month = carried.get(budget_id, {}).get(currency.id, {}).get(month)
    return in_month.units if in_month else 0


def _check_budgets(call: Call, parsed: Parsed[MoveMoneyBody]) -> None:
    from_id, to_id = parsed.values.from_id, parsed.values.to
    if from_id is None and to_id is None and not (parsed.wrong("from") or parsed.wrong("to")):
        parsed.report("to", "The to field is required, or from.")
    if from_id is not None and from_id == to_id:
        parsed.report("to", "The budget in `to` must differ from the budget in `from`.")
    wanted = {budget_id for budget_id in (from_id, to_id) if budget_id is not None}
    found = {budget.id for budget in budgets.all_of(call.db, call.user_id, wanted)} if wanted else set()
    for field, budget_id in (("from", from_id), ("to", to_id)):
        if budget_id is not None and budget_id not in found:
            parsed.report(field, f"The selected {field} is invalid: there is no such budget.")


ROUTE = Route(
    "POST", "/budgets/move_money", move,
    "Move money from one budget to another in a month, or between a budget and unbudgeted money",
    gives=Item[MovedMoneyShown], takes=MoveMoneyBody, requires=_REQUIRED,
)  # fmt: skip
