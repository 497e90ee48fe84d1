"""Defines exchange rates, which say how much of one currency a unit of another currency buys on a day."""

from datetime import date
from decimal import Decimal

from msgspec import Struct

from farthing.kernel.errors import Problem
from farthing.kernel.money import Currency

RATE_MAX = 10**15
RATE_PLACES_MAX = 20


class ExchangeRateDraft(Struct, frozen=True):
    """Describes a rate to store: one unit of `from_currency` buys `rate` of `to_currency`."""

    from_currency: Currency
    to_currency: Currency
    on: date
    rate: Decimal

    @property
    def pair_and_day(self) -> tuple[int, int, str]:
        return self.from_currency.id, self.to_currency.id, self.on.isoformat()


class ExchangeRate(Struct, frozen=True):
    """Describes a stored rate. `source` says who published it, and is None for a user's own rate."""

    id: int
    from_currency: Currency
    to_currency: Currency
    on_day: str
    rate: str
    source: str | None
    created_at: str
    updated_at: str

    @property
    def date(self) -> date:
        return date.fromisoformat(self.on_day)

    @property
    def value(self) -> Decimal:
        return Decimal(self.rate)


def find_rate_problem(rate: Decimal) -> str | None:
    """Returns the end of a sentence that says what is wrong with a rate, or None if the rate is valid."""
    if not 0 < rate <= RATE_MAX:
        return f"must be more than zero, and at most {RATE_MAX}"
    if len(write_rate(rate).partition(".")[2]) > RATE_PLACES_MAX:
        return f"may have at most {RATE_PLACES_MAX} decimal places"
    return None


def write_rate(rate: Decimal) -> str:
    """Writes a rate as plain decimal text, without an exponent or trailing zeros."""
    text = format(rate, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def pair_problems(from_currency: Currency | None, to_currency: Currency | None, *, field: str) -> list[Problem]:
    if from_currency is None or to_currency is None or from_currency.id != to_currency.id:
        return []
    return [Problem(field, f"A rate needs two different currencies, but both are {to_currency.code}.")]
