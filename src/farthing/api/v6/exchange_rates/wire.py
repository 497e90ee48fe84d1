"""Reads and shows exchange rates."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Struct

from farthing.books.exchange_rates.model import ExchangeRate
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.fields import FieldParser, Refused, RequestBody, described, text
from farthing.kernel.money import Currency
from farthing.kernel.shown import Instant

from ..parts.amounts import PositiveAmount
from ..parts.documents import make_thing
from ..parts.moments import Moment, show_day

RATES_MAX = 1000


def _read_rates(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict) or not 0 < len(value) <= RATES_MAX:
        raise Refused(f"The {{label}} must be an object with 1 to {RATES_MAX} rates.")
    return value


Rates = Annotated[Mapping[str, Any], FieldParser(_read_rates, {"type": "object"})]
Word = Annotated[str, text(20)]


class ExchangeRateBody(RequestBody):
    from_word: Word | None = described("The code or the id of a currency.", alias="from")
    to_word: Word | None = described("The code or the id of a currency.", alias="to")
    date: Moment | None = None
    rate: PositiveAmount | None = described("How much of the `to` currency one unit of the `from` currency buys.")


class RatesOfDayBody(RequestBody):
    from_word: Word | None = described("The code or the id of a currency.", alias="from")
    rates: Rates | None = described("The rates by the codes of the `to` currencies.")


class RatesByDayBody(RequestBody):
    """Maps days, such as `2024-05-15`, to rates."""


class RateBody(RequestBody):
    """Holds one rate of an object that maps days or currencies to rates."""

    rate: PositiveAmount | None = None
    date: Moment | None = None


class ExchangeRateAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    from_currency_id: str
    from_currency_name: str
    from_currency_code: str
    from_currency_symbol: str
    from_currency_decimal_places: int
    to_currency_id: str
    to_currency_name: str
    to_currency_code: str
    to_currency_symbol: str
    to_currency_decimal_places: int
    rate: str
    date: str


ExchangeRateThing = Thing[ExchangeRateAttributes]


def make_rate(call: Call, stored: ExchangeRate) -> ExchangeRateThing:
    attributes = ExchangeRateAttributes(
        created_at=stored.created_at,
        updated_at=stored.updated_at,
        **_show_side("from", stored.from_currency),
        **_show_side("to", stored.to_currency),
        rate=stored.rate,
        date=show_day(stored.on_day, call.caller.timezone),
    )
    return make_thing(call, "exchange_rates", stored.id, attributes)


def _show_side(side: str, currency: Currency) -> dict[str, Any]:
    return {
        f"{side}_currency_id": str(currency.id),
        f"{side}_currency_name": currency.name,
        f"{side}_currency_code": currency.code,
        f"{side}_currency_symbol": currency.symbol,
        f"{side}_currency_decimal_places": currency.places,
    }
