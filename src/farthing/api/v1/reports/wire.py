"""Shows what all reports share in their answers."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from msgspec import UNSET, Struct, UnsetType

from farthing.kernel.money import Currency
from farthing.kernel.shown import Day, Number, number
from farthing.overviews.reports.reading.converting import Converter
from farthing.overviews.reports.reading.ranges import Comparison, ReportRange


class ReportDays(Struct, gc=False):
    start: Day
    end: Day


class ReportPart(Struct, gc=False):
    """`complete` means a whole period that is over. Only `averaged` parts enter the averages."""

    start: Day
    end: Day
    complete: bool
    averaged: bool


class UsedRate(Struct, gc=False):
    """`date` is the day of the oldest rate used."""

    currency_code: str
    date: Day


class ConvertedInto(Struct, gc=False):
    """Names the target currency and the rates used. Currencies without a rate (`missing`) are not converted."""

    currency_id: int
    currency_code: str
    rates: list[UsedRate]
    missing: list[str]


def show_converter(into: Converter | None, currencies: Mapping[int, Currency]) -> ConvertedInto | UnsetType:
    if into is None:
        return UNSET
    return ConvertedInto(
        currency_id=into.to.id,
        currency_code=into.to.code,
        rates=[UsedRate(currencies[currency_id].code, on) for currency_id, on in sorted(into.rates_on.items())],
        missing=[currencies[currency_id].code for currency_id in sorted(into.missing)],
    )


class ReportMeta(Struct, gc=False, kw_only=True):
    start: Day
    end: Day
    period: str
    parts: list[ReportPart]
    compared: dict[str, ReportDays] | UnsetType = UNSET
    converted: ConvertedInto | UnsetType = UNSET


def show_meta(within: ReportRange, today: date, books_from: date | None, compare: Sequence[Comparison]) -> ReportMeta:
    parts = [
        ReportPart(
            start=part.first.isoformat(),
            end=part.last.isoformat(),
            complete=within.is_complete(part, today),
            averaged=within.is_averaged(part, today, books_from),
        )
        for part in within.parts
    ]
    return ReportMeta(
        start=within.start.isoformat(),
        end=within.end.isoformat(),
        period=within.period or "range",
        parts=parts,
        compared=show_compared(within, compare),
    )


def show_compared(within: ReportRange, compare: Sequence[Comparison]) -> dict[str, ReportDays] | UnsetType:
    ranges = {comparison: within.compared_with(comparison) for comparison in compare}
    days = {
        comparison.value: ReportDays(then.start.isoformat(), then.end.isoformat())
        for comparison, then in ranges.items()
    }
    return days or UNSET


def percentage(hundredths: int | None) -> Number | None:
    return None if hundredths is None else number(hundredths, 2)


def amounts(units: Iterable[int], currency: Currency) -> list[Number]:
    return [number(amount, currency.places) for amount in units]
