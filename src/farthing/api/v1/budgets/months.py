"""Serves budgets month by month, and copies the limits of a month."""

from farthing.books.currencies import store as currencies
from farthing.books.lifecycle import labels as lifecycle
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.route import START, Parameter, Route
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import parse_complete
from farthing.kernel.money import Currency
from farthing.kernel.parsed import ensure
from farthing.overviews.budget_months import store
from farthing.overviews.budget_months.find import find_side_by_side
from farthing.overviews.budget_months.model import MONTHS_BACK_MAX, MONTHS_MAX
from farthing.schedule.months import month_number

from . import months_wire as wire


def side_by_side(call: Call) -> Answer:
    values = parse_complete(wire.MonthsQuery, call.query)
    this_month = month_number(call.today)
    start = month_number(call.days()["start"] or call.today)
    if start > wire.LAST_MONTH:
        refuse_field("start", f"The start must be before {wire.LAST_MONTH // 12 + 1}.")
    months = range(start, start + (values.months or wire.MONTHS_USUAL))
    currency = _choose_currency(call, values.currency)
    budget_months = find_side_by_side(call.db, call.user_id, currency, months, this_month=this_month)
    used = currencies.by_ids(call.db, store.find_currencies(call.db, call.user_id) | {currency.id})
    codes = sorted(used_currency.code for used_currency in used.values())
    return Answer(Item(wire.show(budget_months, currency, codes)))


def _choose_currency(call: Call, code: str | None) -> Currency:
    """Refuses a missing currency: the owner may have deleted the user's own before an undo restored the preference."""
    currency = currencies.by_code(call.db, (code or call.caller.currency_code).upper())
    if currency is None:
        refuse_field("currency", "The selected currency is invalid: there is no such currency.")
    return currency


def copy_limits(call: Call) -> Answer:
    parsed = wire.read_copy(call.fields)
    values = parsed.values
    copied = lifecycle.copy_limits(
        call.db, call.user_id, from_month=ensure(values.from_month), to_month=ensure(values.to), now=call.now
    )
    return Answer(Item(wire.CopiedLimitsShown(copied=copied.copied, kept=copied.unchanged)))


_START = Parameter("start", START.schema, "A day of the first month. Defaults to this month.")
_MONTHS = Parameter(
    "months",
    {"type": "integer", "minimum": 1, "maximum": MONTHS_MAX, "default": wire.MONTHS_USUAL},
    "The number of months.",
)
_CURRENCY = Parameter("currency", {"type": "string"}, "The code of the currency. Defaults to your own.")

ROUTES = (
    Route(
        "GET", "/budgets/months", side_by_side,
        f"Show budgets month by month, with amounts carried over from at most {MONTHS_BACK_MAX} months before",
        gives=Item[wire.MonthsShown], parameters=(_START, _MONTHS, _CURRENCY),
    ),
    Route(
        "POST", "/budgets/copy_limits", copy_limits, "Copy the limits of one month to another; existing limits stay",
        gives=Item[wire.CopiedLimitsShown], takes=wire.CopyLimitsBody, requires=("from", "to"),
    ),
)  # fmt: skip
