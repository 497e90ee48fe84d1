"""Reads and shows exchange rates."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, ClassVar

from msgspec import Raw, Struct

from farthing.books.exchange_rates.convert import Conversion
from farthing.books.exchange_rates.model import ExchangeRate, find_rate_problem, write_rate
from farthing.books.exchange_rates.store import PutCounts
from farthing.kernel.errors import Problem
from farthing.kernel.fields import Amount, Day, Id, PositiveAmount, RequestBody, described, parse, text
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed, label
from farthing.kernel.shown import Dated, Instant, Number, ShownDay, number, show_as

from ..serializers.currencies import currency_fields

OWN = "own"
FILE_CHARACTERS_MAX = 64 * 2**20
# Inverted rates may have endless digits. This many are shown, counted from the first that is not zero.
_SHOWN_DIGITS = 20
_EITHER = "Either this or `{0}_currency_code` is required. The id or the code may also be sent as `{0}`."


class ExchangeRateBody(RequestBody):
    from_currency_id: Id | None = described(_EITHER.format("from"))
    from_currency_code: Annotated[str, text(3)] | None = None
    to_currency_id: Id | None = described(_EITHER.format("to"))
    to_currency_code: Annotated[str, text(3)] | None = None
    date: Day | None = None
    rate: PositiveAmount | None = described("How much of the `to` currency one unit of the `from` currency buys.")


class RateFileBody(RequestBody):
    text_field: ClassVar[str] = "file"

    file: Annotated[str, text(FILE_CHARACTERS_MAX)] | None = described(
        "CSV with the columns date, from, to and rate; the first line may be a header."
    )


class ConvertQuery(RequestBody):
    amount: Amount | None = None


def read(raw: Mapping[str, object]) -> Parsed[ExchangeRateBody]:
    """Reads `from` and `to` as ids if they are digits, and as codes otherwise."""
    short = {
        f"{name}_currency_{'id' if str(raw[name]).strip().isdigit() else 'code'}": raw[name]
        for name in ("from", "to")
        if raw.get(name) not in (None, "")
    }
    parsed = parse(ExchangeRateBody, short | {name: value for name, value in raw.items() if value not in (None, "")})
    rate = parsed.values.rate
    if rate is not None and (problem := find_rate_problem(rate)):
        parsed.report("rate", f"The rate {problem}.")
    return parsed


def name_as_sent(raw: Mapping[str, object], problems: list[Problem]) -> list[Problem]:
    """Reports problems under the field names that the caller sent."""
    renamed = []
    for problem in problems:
        side = problem.field.partition("_currency_")[0]
        is_short = side in ("from", "to") and problem.field not in raw and raw.get(side) not in (None, "")
        renamed.append(Problem(side, problem.message.replace(label(problem.field), side)) if is_short else problem)
    return renamed


class ExchangeRateAttributes(Dated, gc=False):
    """`source` names the publisher of the rate, and is `own` for your own rates."""

    date: ShownDay
    rate: Number
    source: str
    from_currency_id: int
    from_currency_code: str
    from_currency_name: str
    from_currency_symbol: str
    from_currency_dp: int
    to_currency_id: int
    to_currency_code: str
    to_currency_name: str
    to_currency_symbol: str
    to_currency_dp: int


def show(stored: ExchangeRate) -> ExchangeRateAttributes:
    sides = {"from": stored.from_currency, "to": stored.to_currency}
    names = {f"{side}_currency_name": currency.name for side, currency in sides.items()}
    others = {
        f"{side}_{name}": value for side, currency in sides.items() for name, value in currency_fields(currency).items()
    }
    return show_as(
        ExchangeRateAttributes,
        stored,
        date=stored.on_day,
        rate=Raw(stored.rate.encode()),
        source=stored.source or OWN,
        **names,
        **others,
    )


class ConversionData(Struct, gc=False):
    """`converted`, `rate` and `rate_date` are null if there is no rate.

    `via_currency_code` is set if the amount was converted through a third currency. A rate that was computed from other
    rates is shown rounded, but the conversion used the exact rate.
    """

    date: ShownDay
    amount: Number
    from_currency_code: str
    to_currency_code: str
    converted: Number | None
    rate: Number | None
    rate_date: ShownDay | None
    via_currency_code: str | None


def show_conversion(conversion: Conversion, currencies: Mapping[int, Currency], to: Currency) -> ConversionData:
    from_, used = currencies[conversion.amount.currency_id], conversion.rate
    rate = used.rate if used else Fraction(1) if conversion.exact is not None else None
    return ConversionData(
        date=conversion.amount.on,
        amount=number(conversion.amount.units, from_.places),
        from_currency_code=from_.code,
        to_currency_code=to.code,
        converted=number(conversion.units, to.places) if conversion.units is not None else None,
        rate=show_fraction(rate) if rate is not None else None,
        rate_date=used.on if used else None,
        via_currency_code=currencies[used.via_id].code if used and used.via_id else None,
    )


def show_fraction(rate: Fraction) -> Raw:
    places = _SHOWN_DIGITS
    while rate * 10**places < 10 ** (_SHOWN_DIGITS - 1):
        places += 1
    return Raw(write_rate(Decimal(round(rate * 10**places)).scaleb(-places)).encode())


class LatestRate(Struct, gc=False):
    """`rate` is the value of one unit of the currency in the target currency, or null if there is no rate."""

    currency_id: int
    currency_code: str
    currency_name: str
    currency_symbol: str
    currency_dp: int
    rate: Number | None
    rate_date: ShownDay | None
    via_currency_code: str | None


class LatestRates(Struct, gc=False):
    data: list[LatestRate]
    to_currency_code: str


class PutCount(Struct, gc=False):
    """`created` counts new rates, `changed` rates with a new value, and `unchanged` rates with the same value."""

    created: int
    changed: int
    unchanged: int


def show_counts(counts: PutCounts) -> PutCount:
    return show_as(PutCount, counts)


class SourceData(Struct, gc=False):
    """`source` is `off`, `ecb` or the host name of a provider. `failure` says why the last fetch failed.

    `waiting` is true until a requested fetch has finished.
    """

    source: str
    fetched_at: Instant | None
    failure: str | None
    newest_date: ShownDay | None
    waiting: bool


ParsedQuery = Parsed[ConvertQuery]


def read_query_amount(query: Mapping[str, str]) -> ParsedQuery:
    parsed = parse(ConvertQuery, {"amount": query.get("amount")})
    parsed.require("amount")
    return parsed
