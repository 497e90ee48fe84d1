"""Serves budgets month by month, and copies the limits of a month."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Struct
from pydantic import Field

from farthing.books.currencies import store as currencies
from farthing.books.lifecycle import labels as lifecycle
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.route import START, Parameter, Route
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import FieldParser, Refused, RequestBody, parse, parse_complete, text, whole
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed, ensure
from farthing.kernel.shown import Number, ShownDay, number, show_as
from farthing.overviews.budget_months import store
from farthing.overviews.budget_months.find import BudgetMonths, MonthsSideBySide, find_side_by_side
from farthing.overviews.budget_months.model import MONTHS_BACK_MAX, MONTHS_MAX, BudgetMonth, EnvelopeMonth
from farthing.overviews.budget_months.store import MonthLimit, spell
from farthing.schedule.months import day_in_month, month_number

from ..serializers.currencies import InCurrency, currency_fields

MONTHS_USUAL = 3
MONTH_PATTERN = "^[0-9]{4}-(0[1-9]|1[0-2])$"
_MONTH = re.compile("([0-9]{4})-(0[1-9]|1[0-2])")
# The latest month that can be requested, because the month after it must also be valid.
LAST_MONTH = 9000 * 12 + 11


def _read_month(value: object) -> int:
    match = _MONTH.fullmatch(value.strip()) if isinstance(value, str) else None
    number = int(match[1]) * 12 + int(match[2]) - 1 if match else 0
    if not 12 <= number <= LAST_MONTH:
        raise Refused("The {label} must be a month such as 2024-05.")
    return number


Month = Annotated[int, FieldParser(_read_month, {"type": "string", "pattern": MONTH_PATTERN})]


class MonthsQuery(RequestBody):
    months: Annotated[int, whole(minimum=1, maximum=MONTHS_MAX)] | None = None
    currency: Annotated[str, text(3)] | None = None


class CopyLimitsBody(RequestBody):
    """`from` and `to` are months such as `2024-05`."""

    from_month: Month | None = Field(None, alias="from")
    to: Month | None = None


def read_copy(raw: Mapping[str, object]) -> Parsed[CopyLimitsBody]:
    parsed = parse(CopyLimitsBody, raw)
    values = parsed.values
    if values.from_month is None and not parsed.wrong("from"):
        parsed.report("from", "The from field is required.")
    parsed.require("to")
    if values.to is not None and values.to == values.from_month:
        parsed.report("to", "The month in `to` must differ from the month in `from`.")
    parsed.finish()
    return parsed


class CopiedLimitsShown(Struct, gc=False):
    """`copied` counts the new limits. `kept` counts the limits not copied because the budget already had one."""

    copied: int
    kept: int


class LimitShown(Struct, gc=False):
    id: int
    start: ShownDay
    end: ShownDay
    amount: Number


class BudgetMonthShown(Struct, gc=False):
    """`left` = `carried` + `limit` − `spent`. `carried` does not include `released`, which was moved out of it.

    `is_limited` says whether a limit is set, or was set earlier and is carried over. `limits` lists all limits that
    overlap the month. `limit` is the sum of their shares in the month.
    """

    month: str
    limit: Number
    carried: Number
    released: Number
    spent: Number
    left: Number
    is_limited: bool
    limits: list[LimitShown]


class BudgetMonthsShown(Struct, gc=False):
    id: int
    name: str
    active: bool
    carry: str
    months: list[BudgetMonthShown]


class TotalMonthShown(Struct, gc=False):
    """Adds up all budgets. `unbudgeted` was spent without a budget, and `unlimited` from budgets without a limit.

    `left_to_spend` = `left` + `unlimited`, and is null if no budget has a limit. `to_budget` is the amount available to
    budget minus the limits, plus what was moved out of carried amounts. If no amount is set for the month, `to_budget`
    is the income not yet budgeted.
    """

    month: str
    start: ShownDay
    end: ShownDay
    income: Number
    limit: Number
    carried: Number
    spent: Number
    left: Number
    unbudgeted: Number
    to_budget: Number
    unlimited: Number
    left_to_spend: Number | None


class MonthsShown(InCurrency, gc=False, kw_only=True):
    """All amounts are in one currency. `currencies` lists all currencies in which money was spent or a limit is set."""

    currencies: list[str]
    budgets: list[BudgetMonthsShown]
    totals: list[TotalMonthShown]


def _show(budget_months: MonthsSideBySide, currency: Currency, codes: Sequence[str]) -> MonthsShown:
    places = currency.places
    return MonthsShown(
        **currency_fields(currency),
        currencies=list(codes),
        budgets=[_show_budget(budget, budget_months.months, places) for budget in budget_months.budgets],
        totals=[
            _show_total(figures, month, places)
            for month, figures in zip(budget_months.months, budget_months.totals, strict=True)
        ],
    )


def _show_budget(of: BudgetMonths, months: range, places: int) -> BudgetMonthsShown:
    months_shown = [
        _show_month(figures, month, of.limits.get(month, ()), places)
        for month, figures in zip(months, of.months, strict=True)
    ]
    return show_as(BudgetMonthsShown, of.budget, carry=of.budget.carry.value, months=months_shown)


def _show_month(figures: BudgetMonth, month: int, limits: Sequence[MonthLimit], places: int) -> BudgetMonthShown:
    return BudgetMonthShown(
        month=spell(month),
        **_show_figures(figures, ("limit", "carried", "released", "spent", "left"), places),
        is_limited=figures.is_limited,
        limits=[
            LimitShown(id=limit.id, start=limit.start_on, end=limit.end_on, amount=number(limit.units, places))
            for limit in limits
        ],
    )


_TOTALS = ("income", "limit", "carried", "spent", "left", "unbudgeted", "to_budget", "unlimited")


def _show_total(figures: EnvelopeMonth, month: int, places: int) -> TotalMonthShown:
    return TotalMonthShown(
        month=spell(month),
        start=day_in_month(month, 1).isoformat(),
        end=day_in_month(month, 31).isoformat(),
        **_show_figures(figures, _TOTALS, places),
        left_to_spend=None if figures.left_to_spend is None else number(figures.left_to_spend, places),
    )


def _show_figures(figures: BudgetMonth | EnvelopeMonth, names: Sequence[str], places: int) -> dict[str, Any]:
    return {name: number(getattr(figures, name), places) for name in names}


def side_by_side(call: Call) -> Answer:
    values = parse_complete(MonthsQuery, call.query)
    this_month = month_number(call.today)
    start = month_number(call.days()["start"] or call.today)
    if start > LAST_MONTH:
        refuse_field("start", f"The start must be before {LAST_MONTH // 12 + 1}.")
    months = range(start, start + (values.months or MONTHS_USUAL))
    currency = _choose_currency(call, values.currency)
    budget_months = find_side_by_side(call.db, call.user_id, currency, months, this_month=this_month)
    used = currencies.by_ids(call.db, store.find_currencies(call.db, call.user_id) | {currency.id})
    codes = sorted(used_currency.code for used_currency in used.values())
    return Answer(Item(_show(budget_months, currency, codes)))


def _choose_currency(call: Call, code: str | None) -> Currency:
    """Finds the requested currency, or else the user's primary currency. Refuses a currency that does not exist.

    The primary currency can be missing: an undo can restore a preference for a currency that the owner has deleted.
    """
    currency = currencies.by_code(call.db, (code or call.caller.currency_code).upper())
    if currency is None:
        refuse_field("currency", "The selected currency is invalid: there is no such currency.")
    return currency


def copy_limits(call: Call) -> Answer:
    parsed = read_copy(call.fields)
    values = parsed.values
    copied = lifecycle.copy_limits(
        call.db, call.user_id, from_month=ensure(values.from_month), to_month=ensure(values.to), now=call.now
    )
    return Answer(Item(CopiedLimitsShown(copied=copied.copied, kept=copied.unchanged)))


_START = Parameter("start", START.schema, "Any day of the first month. Defaults to this month.")
_MONTHS = Parameter(
    "months",
    {"type": "integer", "minimum": 1, "maximum": MONTHS_MAX, "default": MONTHS_USUAL},
    "The number of months.",
)
_CURRENCY = Parameter("currency", {"type": "string"}, "The code of the currency. Defaults to your primary currency.")

ROUTES = (
    Route(
        "GET", "/budgets/months", side_by_side,
        f"Show budgets month by month, with amounts carried over from up to {MONTHS_BACK_MAX} earlier months",
        gives=Item[MonthsShown], parameters=(_START, _MONTHS, _CURRENCY),
    ),
    Route(
        "POST", "/budgets/copy_limits", copy_limits,
        "Copy the limits of one month to another; existing limits are kept",
        gives=Item[CopiedLimitsShown], takes=CopyLimitsBody, requires=("from", "to"),
    ),
)  # fmt: skip
