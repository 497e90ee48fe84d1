"""Reads the query of a chart, and shows its figures."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from farthing.books.accounts.model import Account
from farthing.books.exchange_rates.convert import ConvertedTotal
from farthing.kernel.fields import RequestBody, choice
from farthing.kernel.money import Currency
from farthing.kernel.shown import Day, Number, number, show_as
from farthing.ledger.kinds import Type
from farthing.overviews.charts.model import ChartRange
from farthing.schedule.periods import Period

from ..exchange_rates import totals as conversions
from ..serializers.currencies import InCurrency, currency_fields


class ChartQuery(RequestBody):
    """The query parameters other than the days."""

    period: Annotated[Period, choice(*Period)] | None = None


class AccountData(Struct, gc=False):
    """Draws one account: `entries` are days with their closing balances."""

    label: str
    account_id: int
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_decimal_places: int
    type: str
    yAxisID: int  # noqa: N815 -- the name that clients know
    entries: dict[str, Number]


def show_account(account: Account, chart: ChartRange, closings: Sequence[int]) -> AccountData:
    currency, places = account.currency, account.currency.places
    return AccountData(
        label=account.name,
        account_id=account.id,
        currency_id=currency.id,
        currency_code=currency.code,
        currency_symbol=currency.symbol,
        currency_decimal_places=places,
        type="line",
        yAxisID=0,
        entries={day: number(units, places) for day, units in zip(chart.lasts, closings, strict=True)},
    )


class ChartMeta(Struct, gc=False):
    """`period` is the requested one, or the finest that one answer can hold."""

    start: Day
    end: Day
    period: str


def show_range(chart: ChartRange) -> ChartMeta:
    return ChartMeta(start=chart.start.isoformat(), end=chart.end.isoformat(), period=chart.period)


class Worth(Struct, gc=False):
    """Holds the net worth at the end of a day."""

    date: Day
    amount: Number


class WorthData(InCurrency, gc=False, kw_only=True):
    """Draws the line of one currency."""

    entries: list[Worth]


class ConvertedWorth(Struct, gc=False):
    """Holds the total net worth at the end of a day, in one currency.

    `rate_date` is the day of the oldest rate used; `missing` are the codes of the currencies without a rate.
    """

    date: Day
    amount: Number
    rate_date: Day | None
    missing: list[str]


class ConvertedWorthData(InCurrency, gc=False, kw_only=True):
    """Draws the line of all currencies together."""

    entries: list[ConvertedWorth]


class NetWorth(Struct, gc=False):
    """`converted` is present only if `convert` asks for it."""

    data: list[WorthData]
    meta: ChartMeta
    converted: ConvertedWorthData | UnsetType = UNSET


def show_net_worth(
    chart: ChartRange, worth: Mapping[int, Sequence[int]], currencies: Mapping[int, Currency]
) -> NetWorth:
    data = []
    for currency_id, closings in worth.items():
        currency = currencies[currency_id]
        entries = [Worth(day, number(units, currency.places)) for day, units in zip(chart.lasts, closings, strict=True)]
        data.append(WorthData(**currency_fields(currency), entries=entries))
    return NetWorth(data, show_range(chart))


class Flow(Struct, gc=False):
    """Sums up the days from `start` to `end`."""

    start: Day
    end: Day
    spent: Number
    earned: Number


class FlowData(InCurrency, gc=False, kw_only=True):
    """Draws the bars of one currency."""

    entries: list[Flow]


class ConvertedFlow(Flow, gc=False):
    """Converts the sums with the rates of the last day."""

    rate_date: Day | None
    missing: list[str]


class ConvertedFlowData(InCurrency, gc=False, kw_only=True):
    """Draws the bars of all currencies together."""

    entries: list[ConvertedFlow]


class CashFlow(Struct, gc=False):
    """`converted` is present only if `convert` asks for it."""

    data: list[FlowData]
    meta: ChartMeta
    converted: ConvertedFlowData | UnsetType = UNSET


def show_cash_flow(
    chart: ChartRange, flows: Mapping[int, Mapping[Type, Sequence[int]]], currencies: Mapping[int, Currency]
) -> CashFlow:
    days = [(part.first.isoformat(), part.last.isoformat()) for part in chart.parts]
    data = []
    for currency_id, of_type in flows.items():
        currency, places = currencies[currency_id], currencies[currency_id].places
        moved = zip(days, of_type[Type.WITHDRAWAL], of_type[Type.DEPOSIT], strict=True)
        entries = [
            Flow(start=start, end=end, spent=number(spent, places), earned=number(earned, places))
            for (start, end), spent, earned in moved
        ]
        data.append(FlowData(**currency_fields(currency), entries=entries))
    return CashFlow(data, show_range(chart))


def show_converted_worth(
    chart: ChartRange, totals: Sequence[ConvertedTotal], to: Currency, currencies: Mapping[int, Currency]
) -> ConvertedWorthData:
    amounts = (conversions.show(total, to, currencies) for total in totals)
    entries = [show_as(ConvertedWorth, amount, date=day) for day, amount in zip(chart.lasts, amounts, strict=True)]
    return ConvertedWorthData(**currency_fields(to), entries=entries)


def show_converted_flow(
    chart: ChartRange,
    spent: Sequence[ConvertedTotal],
    earned: Sequence[ConvertedTotal],
    to: Currency,
    currencies: Mapping[int, Currency],
) -> ConvertedFlowData:
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
                missing=[currencies[currency_id].code for currency_id in missing],
            )
        )
    return ConvertedFlowData(**currency_fields(to), entries=entries)
