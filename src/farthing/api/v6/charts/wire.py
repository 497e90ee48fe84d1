"""Reads the queries of charts, and shows data sets."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated

from msgspec import Struct

from farthing.books.exchange_rates.convert import DatedAmount
from farthing.http.request.call import Call, Range
from farthing.kernel.fields import RequestBody, choice
from farthing.kernel.money import Currency
from farthing.schedule.periods import Period

from ..parts.amounts import show_amount
from ..parts.moments import show_day, show_end_of_day
from ..parts.primary import OwnCurrency, load_primary

PERIODS = {
    "1D": Period.DAY,
    "1W": Period.WEEK,
    "1M": Period.MONTH,
    "3M": Period.QUARTER,
    "6M": Period.HALF_YEAR,
    "1Y": Period.YEAR,
}
EVERYTHING, ASSETS, LIABILITIES, FRONT_PAGE = "all", "assets", "liabilities", "empty"
PRESELECTED = (FRONT_PAGE, EVERYTHING, ASSETS, LIABILITIES)


class ChartQuery(RequestBody):
    """Holds the query parameters other than the days and the accounts."""

    period: Annotated[str, choice(*PERIODS)] | None = None
    preselected: Annotated[str, choice(*PRESELECTED)] | None = None


class ChartDataSet(OwnCurrency, gc=False, kw_only=True):
    """Holds one line or bar of a chart. `entries` maps points in time, or the names of figures, to amounts.

    `pc_entries` has the same amounts in the primary currency, and is empty if they are not converted.
    """

    label: str
    date: str
    start_date: str
    end_date: str
    type: str
    period: str
    yAxisID: int  # noqa: N815 -- the name that clients know
    entries: dict[str, str]
    pc_entries: dict[str, str]


class Figure(Struct, frozen=True):
    """Holds an amount and its key in `entries`. The amount is converted at the exchange rate on the day `on`."""

    key: str
    units: int
    on: str


class ChartLine(Struct, frozen=True):
    label: str
    currency: Currency
    figures: list[Figure]


def show(
    call: Call, days: Range, lines: Iterable[ChartLine], *, kind: str, period: str = "custom"
) -> list[ChartDataSet]:
    primary, zone, every = load_primary(call), call.caller.timezone, list(lines)
    start, end = show_day(days.start.isoformat(), zone), show_end_of_day(days.end.isoformat(), zone)
    amounts = [DatedAmount(line.currency.id, figure.units, figure.on) for line in every for figure in line.figures]
    converted = iter(primary.convert(amounts))
    return [
        ChartDataSet(
            **primary.show_with(line.currency),
            label=line.label,
            date=start,
            start_date=start,
            end_date=end,
            type=kind,
            period=period,
            yAxisID=0,
            entries={figure.key: show_amount(figure.units, line.currency.places) for figure in line.figures},
            pc_entries={figure.key: text for figure in line.figures if (text := next(converted)) is not None},
        )
        for line in every
    ]


def show_moment(call: Call, day: date | str) -> str:
    return show_day(str(day), call.caller.timezone)
