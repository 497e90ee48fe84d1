"""Provides what all reports share: reads the query, describes the report, and answers as JSON or CSV."""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from farthing.books.currencies import store as currencies
from farthing.http.request.call import Answer, Call
from farthing.http.resources.resource import Handler
from farthing.http.route import LARGE_OVERVIEW, Parameter, Route
from farthing.kernel.errors import Invalid
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, ShownDay, number
from farthing.overviews.reports.reading.converting import Converter
from farthing.overviews.reports.totals import find_first_day

from . import query
from .table import Table, answer_table


class ReportDays(Struct, gc=False):
    start: ShownDay
    end: ShownDay


class ReportPart(Struct, gc=False):
    """Describes one period of the report. `complete` is true if it is a whole period that is over.

    Averages are computed from the periods that are `averaged`, or from all periods if none is.
    """

    start: ShownDay
    end: ShownDay
    complete: bool
    averaged: bool


class UsedRate(Struct, gc=False):
    """`date` is the day of the oldest rate that was used for the currency."""

    currency_code: str
    date: ShownDay


class ConvertedInto(Struct, gc=False):
    """Shows the target currency and the rates used. Currencies without a rate are listed in `missing`, and not
    converted.
    """

    currency_id: int
    currency_code: str
    rates: list[UsedRate]
    missing: list[str]


def show_converter(call: Call, into: Converter | None) -> ConvertedInto | UnsetType:
    if into is None:
        return UNSET
    by_id = currencies.by_ids(call.db, {*into.rates_on, *into.missing})
    return ConvertedInto(
        currency_id=into.to.id,
        currency_code=into.to.code,
        rates=[UsedRate(by_id[currency_id].code, on) for currency_id, on in sorted(into.rates_on.items())],
        missing=[by_id[currency_id].code for currency_id in sorted(into.missing)],
    )


class ReportMeta(Struct, gc=False, kw_only=True):
    start: ShownDay
    end: ShownDay
    period: str
    parts: list[ReportPart]
    compared: dict[str, ReportDays] | UnsetType = UNSET
    converted: ConvertedInto | UnsetType = UNSET


def read(call: Call, *, sides: int = 1) -> tuple[query.ReportQuery, query.ReportRequest]:
    parsed = query.read(call)
    parsed.finish()
    return parsed.values, query.read_request(call, parsed.values, sides=sides)


def describe(call: Call, request: query.ReportRequest) -> ReportMeta:
    """Describes the report. Call it after the amounts have been read, because it lists the rates used for them."""
    within, books_from = request.within, find_first_day(call.db, call.user_id)
    parts = [
        ReportPart(
            start=part.first.isoformat(),
            end=part.last.isoformat(),
            complete=within.is_complete(part, call.today),
            averaged=within.is_averaged(part, call.today, books_from),
        )
        for part in within.parts
    ]
    ranges = {comparison.value: within.compared_with(comparison) for comparison in request.compare}
    return ReportMeta(
        start=within.start.isoformat(),
        end=within.end.isoformat(),
        period=within.period or "range",
        parts=parts,
        compared={name: ReportDays(then.start.isoformat(), then.end.isoformat()) for name, then in ranges.items()}
        or UNSET,
        converted=show_converter(call, request.question.into),
    )


def in_order(call: Call, currency_ids: Iterable[int], own_currency_id: int | None) -> list[Currency]:
    """Returns the currencies, the user's own currency first."""
    unordered = currencies.by_ids(call.db, set(currency_ids)).values()
    return sorted(unordered, key=lambda currency: (currency.id != own_currency_id, currency.id))


def answer(values: query.ReportQuery, report: Any, table: Table, name: str) -> Answer:
    """Answers as JSON, or as CSV, which shows the rates in additional columns."""
    if values.format != "csv":
        return Answer(report)
    converted = report.meta.converted
    if isinstance(converted, ConvertedInto):
        rates = ", ".join(f"{rate.currency_code} {rate.date}" for rate in converted.rates)
        table = table.with_columns(rates=rates, not_converted=", ".join(converted.missing))
    return answer_table(name, table)


def route(path: str, handler: Handler, summary: str, gives: Any, parameters: tuple[Parameter, ...]) -> Route:
    return Route(
        "GET", f"/reports/{path}", handler, summary, gives=gives, parameters=parameters,
        fails=(Invalid,), runs=LARGE_OVERVIEW,
    )  # fmt: skip


def percentage(hundredths: int | None) -> Number | None:
    return None if hundredths is None else number(hundredths, 2)


def amounts(units: Iterable[int], currency: Currency) -> list[Number]:
    return [number(amount, currency.places) for amount in units]
