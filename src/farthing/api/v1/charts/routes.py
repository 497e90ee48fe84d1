"""Serves charts."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from farthing.books.accounts.model import Account
from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates.convert import total_by_day
from farthing.http.request.call import Answer, Call, Range
from farthing.http.route import OVERVIEW, RANGE_NEEDED, RANGED, Parameter, Route
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import RequestBody, choice, parse_complete
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, ShownDay, number, show_as
from farthing.ledger.kinds import Type
from farthing.overviews.charts import front_page, store
from farthing.overviews.charts.model import DAYS_MAX, FIGURES_MAX, ChartRange, finest
from farthing.overviews.net_worth import by_day
from farthing.schedule.periods import USUAL, Period

from ..exchange_rates import totals as conversions
from ..exchange_rates.totals import CONVERT, find_target
from ..serializers.currencies import InCurrency, currency_fields


class ChartQuery(RequestBody):
    """Holds the query parameters other than the range of days."""

    period: Annotated[Period, choice(*USUAL)] | None = None


class AccountData(Struct, gc=False):
    """Holds one account's line in the chart. `entries` maps each day to the account's closing balance."""

    label: str
    account_id: int
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_decimal_places: int
    type: str
    yAxisID: int  # noqa: N815 -- the name that clients know
    entries: dict[str, Number]


class ChartMeta(Struct, gc=False):
    """`period` is the requested period, or the shortest one whose figures fit into one answer."""

    start: ShownDay
    end: ShownDay
    period: str


class Worth(Struct, gc=False):
    """Holds the net worth at the end of a day."""

    date: ShownDay
    amount: Number


class WorthData(InCurrency, gc=False, kw_only=True):
    """Holds the net worth in one currency."""

    entries: list[Worth]


class ConvertedWorth(Struct, gc=False):
    """Holds the total net worth at the end of a day, in one currency.

    `rate_date` is the day of the oldest rate used. `missing` lists the codes of currencies without a rate, whose
    amounts are not included.
    """

    date: ShownDay
    amount: Number
    rate_date: ShownDay | None
    missing: list[str]


class ConvertedWorthData(InCurrency, gc=False, kw_only=True):
    """Holds the net worth of all currencies together, converted into one."""

    entries: list[ConvertedWorth]


class NetWorth(Struct, gc=False):
    """`converted` is present only if requested with the parameter `convert`."""

    data: list[WorthData]
    meta: ChartMeta
    converted: ConvertedWorthData | UnsetType = UNSET


class Flow(Struct, gc=False):
    """Holds the sums of the days from `start` to `end`."""

    start: ShownDay
    end: ShownDay
    spent: Number
    earned: Number


class FlowData(InCurrency, gc=False, kw_only=True):
    """Holds the cash flow in one currency."""

    entries: list[Flow]


class ConvertedFlow(Flow, gc=False):
    """Holds the sums of the days from `start` to `end`, converted at the exchange rates on the last day."""

    rate_date: ShownDay | None
    missing: list[str]


class ConvertedFlowData(InCurrency, gc=False, kw_only=True):
    """Holds the cash flow of all currencies together, converted into one."""

    entries: list[ConvertedFlow]


class CashFlow(Struct, gc=False):
    """`converted` is present only if requested with the parameter `convert`."""

    data: list[FlowData]
    meta: ChartMeta
    converted: ConvertedFlowData | UnsetType = UNSET


ACCOUNTS_MAX = 100
_A_YEAR = timedelta(days=365)


def account_overview(call: Call) -> Answer:
    days = call.required_range()
    selected = _accounts(call)
    data = chart_balances(call, selected, _choose_range(call, days, len(selected)))
    return Answer(data, media_type="application/json")


def chart_balances(call: Call, selected: Sequence[Account], chart: ChartRange) -> list[AccountData]:
    lines = store.closing_balances(call.db, call.user_id, selected, chart)
    return [
        AccountData(
            label=account.name,
            account_id=account.id,
            currency_id=account.currency.id,
            currency_code=account.currency.code,
            currency_symbol=account.currency.symbol,
            currency_decimal_places=account.currency.places,
            type="line",
            yAxisID=0,
            entries={day: number(units, account.currency.places) for day, units in zip(chart.lasts, line, strict=True)},
        )
        for account, line in zip(selected, lines, strict=True)
    ]


def net_worth(call: Call) -> Answer:
    return Answer(chart_net_worth(call, _choose_range(call, _days(call), 1)))


def chart_net_worth(call: Call, chart: ChartRange) -> NetWorth:
    worth, to = by_day.net_worth(call.db, call.user_id, chart), find_target(call)
    currencies_by_id = currencies.by_ids(call.db, worth.keys())
    data = []
    for currency_id, units_by_day in worth.items():
        currency, days = currencies_by_id[currency_id], zip(chart.lasts, units_by_day, strict=True)
        entries = [Worth(day, number(units, currency.places)) for day, units in days]
        data.append(WorthData(**currency_fields(currency), entries=entries))
    figures = NetWorth(data, _describe(chart))
    if to:
        totals = total_by_day(call.db, call.user_id, worth, chart.lasts, to.id)
        amounts = zip(chart.lasts, (conversions.show(total, to, currencies_by_id) for total in totals), strict=True)
        converted = [show_as(ConvertedWorth, amount, date=day) for day, amount in amounts]
        figures.converted = ConvertedWorthData(**currency_fields(to), entries=converted)
    return figures


def cash_flow(call: Call) -> Answer:
    chart, to = _choose_range(call, _days(call), 1), find_target(call)
    flows = store.flows(call.db, call.user_id, chart)
    currencies_by_id = currencies.by_ids(call.db, flows.keys())
    days = [(part.first.isoformat(), part.last.isoformat()) for part in chart.parts]
    data = []
    for currency_id, of_type in flows.items():
        currency, places = currencies_by_id[currency_id], currencies_by_id[currency_id].places
        moved = zip(days, of_type[Type.WITHDRAWAL], of_type[Type.DEPOSIT], strict=True)
        entries = [
            Flow(start=start, end=end, spent=number(spent, places), earned=number(earned, places))
            for (start, end), spent, earned in moved
        ]
        data.append(FlowData(**currency_fields(currency), entries=entries))
    figures = CashFlow(data, _describe(chart))
    if to:
        figures.converted = _convert_flows(call, chart, flows, to, currencies_by_id)
    return Answer(figures)


def _convert_flows(
    call: Call,
    chart: ChartRange,
    flows: Mapping[int, Mapping[Type, Sequence[int]]],
    to: Currency,
    currencies_by_id: Mapping[int, Currency],
) -> ConvertedFlowData:
    spent, earned = (
        total_by_day(call.db, call.user_id, {id_: of_type[type_] for id_, of_type in flows.items()}, chart.lasts, to.id)
        for type_ in (Type.WITHDRAWAL, Type.DEPOSIT)
    )
    entries = []
    for part, out, in_ in zip(chart.parts, spent, earned, strict=True):
        missing = dict.fromkeys((*out.missing_ids, *in_.missing_ids))
        entries.append(
            ConvertedFlow(
                start=part.first.isoformat(),
                end=part.last.isoformat(),
                spent=number(out.units, to.places),
                earned=number(in_.units, to.places),
                rate_date=min(filter(None, (out.rates_on, in_.rates_on)), default=None),
                missing=[currencies_by_id[currency_id].code for currency_id in missing],
            )
        )
    return ConvertedFlowData(**currency_fields(to), entries=entries)


def _describe(chart: ChartRange) -> ChartMeta:
    return ChartMeta(start=chart.start.isoformat(), end=chart.end.isoformat(), period=chart.period)


def _days(call: Call) -> Range:
    return call.whole_range() or Range(call.today - _A_YEAR, call.today)


def _choose_range(call: Call, days: Range, lines: int) -> ChartRange:
    """Divides the days into the requested periods, and refuses if the answer would hold too many figures.

    If no period was requested, chooses the shortest that stays within the limits.
    """
    period = parse_complete(ChartQuery, call.query).period
    if period is None:
        return finest(days.start, days.end, max(lines, 1))
    chart = ChartRange(period, days.start, days.end)
    if not chart.fits(max(lines, 1)):
        sentence = (
            f"An answer holds at most {FIGURES_MAX} figures, and at most {DAYS_MAX} days if divided by day or week"
        )
        refuse_field("period", f"{sentence}. Choose a longer `period` or a shorter range of days.")
    return chart


def _accounts(call: Call) -> list[Account]:
    """Returns the requested accounts, or the accounts of the front page if none were requested."""
    account_ids = call.ids(most=ACCOUNTS_MAX)
    if not account_ids:
        return front_page.choose(call.db, call.user_id, most=ACCOUNTS_MAX)
    selected = front_page.in_order(call.db, call.user_id, account_ids)
    if len(selected) < len(account_ids):
        gone = sorted(set(account_ids) - {account.id for account in selected})
        refuse_field("ids", f"The selected ids are invalid: there is no account {', '.join(map(str, gone))}.")
    return selected


_PERIOD = Parameter(
    "period",
    {"type": "string", "enum": [period.value for period in USUAL]},
    "The length of each period; weeks begin on Monday. Defaults to the shortest length that results in at most"
    f" {FIGURES_MAX} figures. Days and weeks are possible only in ranges of at most {DAYS_MAX} days.",
)
_IDS = Parameter(
    "ids",
    {"type": "string"},
    f"The ids of at most {ACCOUNTS_MAX} accounts, comma-separated. Defaults to the accounts in the preference"
    " `frontPageAccounts` or, if there are none, to all active asset accounts.",
)

ROUTES = (
    Route(
        "GET", "/chart/account/overview", account_overview, "Chart the balances of several accounts",
        gives=list[AccountData], parameters=(*RANGE_NEEDED, _PERIOD, _IDS), runs=OVERVIEW,
    ),
    Route(
        "GET", "/chart/net_worth", net_worth, "Chart the net worth in each currency",
        gives=NetWorth, parameters=(*RANGED, _PERIOD, CONVERT), runs=OVERVIEW,
    ),
    Route(
        "GET", "/chart/cash_flow", cash_flow, "Chart income and expenses in each currency",
        gives=CashFlow, parameters=(*RANGED, _PERIOD, CONVERT), runs=OVERVIEW,
    ),
)  # fmt: skip
