"""Reads the query of a chart, and shows its figures."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel

from farthing.books.accounts.model import Account
from farthing.kernel.fields import choice
from farthing.kernel.money import Currency
from farthing.kernel.shown import Day, Number, number
from farthing.ledger.kinds import Type
from farthing.overviews.charts.model import ChartRange
from farthing.schedule.periods import Period


class ChartQuery(BaseModel):
    """The query parameters beside the days."""

    period: Annotated[Period, choice(*Period)] | None = None


class AccountData(Struct, gc=False):
    """The line of one account: days with closing balances."""

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
    """What the chart was cut into; the finest period that one answer holds, unless one was asked for."""

    start: Day
    end: Day
    period: str


def show_range(chart: ChartRange) -> ChartMeta:
    return ChartMeta(start=chart.start.isoformat(), end=chart.end.isoformat(), period=chart.period)


class Worth(Struct, gc=False):
    """At the end of a day."""

    date: Day
    amount: Number


class WorthData(Struct, gc=False):
    """The line of one currency."""

    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    entries: list[Worth]


class NetWorth(Struct, gc=False):
    data: list[WorthData]
    meta: ChartMeta


def show_net_worth(
    chart: ChartRange, worth: Mapping[int, Sequence[int]], currencies: Mapping[int, Currency]
) -> NetWorth:
    data = []
    for currency_id, closings in worth.items():
        currency = currencies[currency_id]
        code, symbol, places = currency.code, currency.symbol, currency.places
        entries = [Worth(day, number(units, places)) for day, units in zip(chart.lasts, closings, strict=True)]
        data.append(
            WorthData(
                currency_id=currency_id, currency_code=code, currency_symbol=symbol, currency_dp=places, entries=entries
            )
        )
    return NetWorth(data, show_range(chart))


class Flow(Struct, gc=False):
    """From the first day of a part to its last."""

    start: Day
    end: Day
    spent: Number
    earned: Number


class FlowData(Struct, gc=False):
    """The bars of one currency."""

    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    entries: list[Flow]


class CashFlow(Struct, gc=False):
    data: list[FlowData]
    meta: ChartMeta


def show_cash_flow(
    chart: ChartRange, flows: Mapping[int, Mapping[Type, Sequence[int]]], currencies: Mapping[int, Currency]
) -> CashFlow:
    days = [(part.first.isoformat(), part.last.isoformat()) for part in chart.parts]
    data = []
    for currency_id, of_type in flows.items():
        currency = currencies[currency_id]
        code, symbol, places = currency.code, currency.symbol, currency.places
        moved = zip(days, of_type[Type.WITHDRAWAL], of_type[Type.DEPOSIT], strict=True)
        entries = [
            Flow(start=start, end=end, spent=number(spent, places), earned=number(earned, places))
            for (start, end), spent, earned in moved
        ]
        data.append(
            FlowData(
                currency_id=currency_id, currency_code=code, currency_symbol=symbol, currency_dp=places, entries=entries
            )
        )
    return CashFlow(data, show_range(chart))
