"""Converts amounts into one currency. Calculates exactly, and rounds sums only at the end.

Uses the latest rate on or before a day. On the same day, a user's own rate takes precedence over a published one. A
rate may be stored for the two currencies, be stored for the opposite direction, or be calculated through a third
currency that has rates with both. Booked transactions are never converted.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import msgspec
from msgspec import Struct

from farthing.storage.drivers import dialects
from farthing.storage.unit import Unit

from ..currencies import store as currencies

# How many third currencies are tried to convert between two others. They are tried in the order of ids; EUR is first.
HUBS_MAX = 5
Pair = tuple[int, int]


class DatedAmount(Struct, frozen=True):
    currency_id: int
    units: int
    on: str


class RateUse(Struct, frozen=True):
    """Describes a rate: one unit of the currency `from_id` is worth `rate` units of `to_id`. `on` is the rate's day.

    If two rates were multiplied, `via_id` is the currency between them, and `on` is the earlier of their days.
    """

    from_id: int
    to_id: int
    on: str
    rate: Fraction
    via_id: int | None = None


class Conversion(Struct, frozen=True):
    """Holds a converted amount. `exact` is in units of the target currency, not rounded, and None if no rate is known.

    `rate` is the rate that was used, if any was needed.
    """

    amount: DatedAmount
    exact: Fraction | None
    rate: RateUse | None = None

    @property
    def units(self) -> int | None:
        """Returns the converted amount, rounded half to even, or None if no rate is known."""
        return None if self.exact is None else round(self.exact)


class ConvertedTotal(Struct, frozen=True):
    """Holds the sum of all converted amounts, rounded once. `rates_on` is the day of the oldest rate that was used.

    `missing_ids` are the currencies without a rate. Their amounts are not in the sum.
    """

    units: int
    rates_on: str | None
    missing_ids: tuple[int, ...]


def convert(db: Unit, user_id: int, amounts: Sequence[DatedAmount], to_currency_id: int) -> list[Conversion]:
    """Converts amounts, and returns the results in the same order. Needs three queries for any number of amounts."""
    foreign = [amount for amount in amounts if amount.currency_id != to_currency_id and amount.units]
    rates = load_rates(db, user_id, foreign, to_currency_id)
    used_ids = {to_currency_id, *(amount.currency_id for amount in foreign)}
    used = currencies.by_ids(db, used_ids).values() if foreign else ()
    places = {currency.id: currency.places for currency in used}
    return [_convert(amount, rates, places) for amount in amounts]


def total(conversions: Iterable[Conversion]) -> ConvertedTotal:
    all_ = list(conversions)
    return ConvertedTotal(
        units=round(sum((conversion.exact for conversion in all_ if conversion.exact is not None), Fraction(0))),
        rates_on=min((conversion.rate.on for conversion in all_ if conversion.rate), default=None),
        missing_ids=tuple(
            dict.fromkeys(conversion.amount.currency_id for conversion in all_ if conversion.exact is None)
        ),
    )


def total_by_day(
    db: Unit, user_id: int, units: Mapping[int, Sequence[int]], days: Sequence[str], to_currency_id: int
) -> list[ConvertedTotal]:
    """Converts amounts, which are given by currency and day, into one total for each day."""
    amounts = [
        DatedAmount(currency_id=currency_id, units=of_day, on=on)
        for currency_id, of_days in units.items()
        for of_day, on in zip(of_days, days, strict=True)
    ]
    converted = convert(db, user_id, amounts, to_currency_id)
    return [total(converted[number :: len(days)]) for number in range(len(days))]


def _convert(amount: DatedAmount, rates: "KnownRates", places: dict[int, int]) -> Conversion:
    """Converts an amount. No rate is needed for zero, or if the currency stays the same."""
    if amount.currency_id == rates.to_id or not amount.units:
        return Conversion(amount=amount, exact=Fraction(amount.units))
    used = rates.find(amount.currency_id, amount.on)
    if used is None:
        return Conversion(amount=amount, exact=None)
    above, below = (
        used.rate.numerator * 10 ** places[rates.to_id],
        used.rate.denominator * 10 ** places[amount.currency_id],
    )
    return Conversion(amount=amount, exact=Fraction(amount.units * above, below), rate=used)


class _Quote(Struct, frozen=True, order=True):
    """Represents a stored rate. If there are several, the greatest by the order of the fields is used.

    This is the latest rate. On the same day, a user's own rate takes precedence, then a rate that is not inverted.
    """

    on: str
    is_own: bool
    is_direct: bool
    text: str

    @property
    def rate(self) -> Fraction:
        return _read_rate(self.text, self.is_direct)


@lru_cache(maxsize=4096)
def _read_rate(text: str, is_direct: bool) -> Fraction:
    """Parses a rate.

    The result is cached, because many days have the same rate, and parsing takes ten times as long as a lookup.
    """
    rate = Fraction(text)
    return rate if is_direct else 1 / rate


class KnownRates:
    """Finds rates for converting into one currency, among the stored rates that were loaded."""

    def __init__(self, to_id: int, hubs: dict[int, list[int]], quotes: dict[tuple[int, int, str], _Quote]) -> None:
        self.to_id = to_id
        self._hubs = hubs
        self._quotes = quotes
        self._found: dict[tuple[int, str], RateUse | None] = {}

    def find(self, from_id: int, on: str) -> RateUse | None:
        """Finds the latest rate.

        On the same day, a rate between the two currencies is preferred to one through a third currency.
        """
        key = from_id, on
        if key not in self._found:
            candidates = self._list_candidates(from_id, on)
            self._found[key] = max(candidates, key=lambda rate: (rate.on, -(rate.via_id or 0)), default=None)
        return self._found[key]

    def _list_candidates(self, from_id: int, on: str) -> Iterator[RateUse]:
        quote = self._quotes.get((from_id, self.to_id, on))
        if quote:
            yield RateUse(from_id=from_id, to_id=self.to_id, on=quote.on, rate=quote.rate)
        for hub in self._hubs.get(from_id, ()):
            first, second = self._quotes.get((from_id, hub, on)), self._quotes.get((hub, self.to_id, on))
            if first and second:
                rate, day = first.rate * second.rate, min(first.on, second.on)
                yield RateUse(from_id=from_id, to_id=self.to_id, on=day, rate=rate, via_id=hub)


def load_rates(db: Unit, user_id: int, amounts: Sequence[DatedAmount], to_currency_id: int) -> KnownRates:
    """Loads the rates that are needed to convert these amounts. Needs two queries, or none if there are no amounts."""
    if not amounts:
        return KnownRates(to_currency_id, {}, {})
    pairs: list[Pair] = [(from_id, to_id) for from_id, to_id in db.all(_PAIRS, user_id=user_id)]
    neighbours: dict[int, set[int]] = defaultdict(set)
    for from_id, to_id in pairs:
        neighbours[from_id].add(to_id)
        neighbours[to_id].add(from_id)
    from_ids = {amount.currency_id for amount in amounts}
    hubs = {from_id: sorted(neighbours[from_id] & neighbours[to_currency_id])[:HUBS_MAX] for from_id in from_ids}
    steps = {(from_id, to_currency_id) for from_id in from_ids}
    steps |= {
        step for from_id, between in hubs.items() for hub in between for step in ((from_id, hub), (hub, to_currency_id))
    }
    stored = [pair for pair in pairs if pair in steps or pair[::-1] in steps]
    quotes = _load_quotes(db, user_id, stored, {amount.on for amount in amounts})
    return KnownRates(to_currency_id, hubs, quotes)


def _list_pairs_of(name: str, table: str, whose: str) -> str:
    """Writes SQL that finds the currency pairs in a table.

    To avoid reading all rates, the SQL steps through the index.
    """
    least = f"SELECT MIN(r.{{column}}) FROM {table} r WHERE {whose}"
    from_, to = least.format(column="from_currency_id"), least.format(column="to_currency_id")
    return f"""
    {name}_from (f) AS (
        SELECT ({from_})
        UNION ALL SELECT ({from_} AND r.from_currency_id > p.f) FROM {name}_from p WHERE p.f IS NOT NULL
    ),
    {name} (f, t) AS (
        SELECT p.f, ({to} AND r.from_currency_id = p.f) FROM {name}_from p WHERE p.f IS NOT NULL
        UNION ALL
        SELECT p.f, ({to} AND r.from_currency_id = p.f AND r.to_currency_id > p.t) FROM {name} p WHERE p.t IS NOT NULL
    )
    """


_PAIRS = f"""
WITH RECURSIVE {_list_pairs_of("own", "exchange_rates", "r.user_id = :user_id")},
    {_list_pairs_of("published", "published_rates", "1 = 1")}
SELECT f, t FROM own WHERE t IS NOT NULL UNION SELECT f, t FROM published WHERE t IS NOT NULL
"""


# The parameters are every pair and every day, as JSON.
_ASKED_ON_SQLITE = """
SELECT p.value ->> 0 AS f, p.value ->> 1 AS t, d.value AS on_day
FROM json_each(:pairs) p CROSS JOIN json_each(:days) d
"""
_ASKED_ON_POSTGRES = """
SELECT (p.value ->> 0)::bigint AS f, (p.value ->> 1)::bigint AS t, d.value AS on_day
FROM json_array_elements(:pairs::json) AS p (value)
CROSS JOIN json_array_elements_text(:days::json) AS d (value)
"""
# Returns day and rate in one text, separated by a space, because a subquery can return only one value.
_LATEST = """
SELECT r.on_day || ' ' || r.rate FROM {table} r
WHERE {whose} AND r.from_currency_id = a.f AND r.to_currency_id = a.t AND r.on_day <= a.on_day
ORDER BY r.on_day DESC LIMIT 1
"""
_QUOTES = f"""
SELECT a.f, a.t, a.on_day,
    ({_LATEST.format(table="exchange_rates", whose="r.user_id = :user_id")}),
    ({_LATEST.format(table="published_rates", whose="1 = 1")})
FROM asked a
"""


def _load_quotes(
    db: Unit, user_id: int, pairs: Sequence[Pair], days: Iterable[str]
) -> dict[tuple[int, int, str], _Quote]:
    pairs_and_days = dialects.choose(db, sqlite=_ASKED_ON_SQLITE, postgresql=_ASKED_ON_POSTGRES)
    rows = db.all(
        f"WITH asked AS ({pairs_and_days}) {_QUOTES}",
        user_id=user_id,
        pairs=msgspec.json.encode(pairs).decode(),
        days=msgspec.json.encode(sorted(days)).decode(),
    )
    best: dict[tuple[int, int, str], _Quote] = {}
    for from_id, to_id, on, own, published in rows:
        for text, is_own in ((own, True), (published, False)):
            if text:
                day, _, rate = text.partition(" ")
                for key, is_direct in (((from_id, to_id, on), True), ((to_id, from_id, on), False)):
                    quote = _Quote(on=day, is_own=is_own, is_direct=is_direct, text=rate)
                    best[key] = max(best.get(key, quote), quote)
    return best
