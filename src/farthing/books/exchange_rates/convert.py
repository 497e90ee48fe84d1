"""Converts amounts into one currency, exactly; rounding is left to the very end.

The latest rate on or before a day counts; of rates of the same day a user's own comes before a published one. A pair is
found as it is, inverted, or through one currency that both have a rate with. The ledger itself is never converted.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import msgspec
from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.storage.drivers import dialects
from farthing.storage.unit import Unit

from ..currencies import store as currencies

# So many of the currencies that two have in common are tried, in the order of their ids; EUR has the first.
HUBS_MAX = 5
Pair = tuple[int, int]


class DatedAmount(Struct, frozen=True):
    currency_id: int
    units: int
    on: str


class UsedRate(Struct, frozen=True):
    """One of `from_id` is worth `rate` of `to_id`; `on` is its day, or the earlier one of two that were multiplied."""

    from_id: int
    to_id: int
    on: str
    rate: Fraction
    via_id: int | None = None


class Conversion(Struct, frozen=True):
    """`exact` is in units of the target, not rounded: None if no rate is known. `rate` is None if none was needed."""

    amount: DatedAmount
    exact: Fraction | None
    rate: UsedRate | None = None

    @property
    def units(self) -> int | None:
        """Rounded half to even."""
        return None if self.exact is None else round(self.exact)


class ConvertedTotal(Struct, frozen=True):
    """The sum of what could be converted, rounded once; `rates_on` is the day of the oldest rate that was used.

    `missing_ids` are the currencies for which no rate is known: their amounts are not in the sum.
    """

    units: int
    rates_on: str | None
    missing_ids: tuple[int, ...]


def convert(db: Unit, user_id: int, amounts: Sequence[DatedAmount], to_currency_id: int) -> list[Conversion]:
    """In the order of the amounts, by three queries for any number of them."""
    foreign = [one for one in amounts if one.currency_id != to_currency_id and one.units]
    known = load_rates(db, user_id, foreign, to_currency_id)
    places = {one.id: one.places for one in _load_places(db, foreign, to_currency_id)}
    return [_convert(one, known, places) for one in amounts]


def total(conversions: Iterable[Conversion]) -> ConvertedTotal:
    all_ = list(conversions)
    return ConvertedTotal(
        units=round(sum((one.exact for one in all_ if one.exact is not None), Fraction(0))),
        rates_on=min((one.rate.on for one in all_ if one.rate), default=None),
        missing_ids=tuple(dict.fromkeys(one.amount.currency_id for one in all_ if one.exact is None)),
    )


def total_by_day(
    db: Unit, user_id: int, units: Mapping[int, Sequence[int]], days: Sequence[str], to_currency_id: int
) -> list[ConvertedTotal]:
    """For charts and reports: `units` are the amounts of each currency on each of the days."""
    amounts = [
        DatedAmount(currency_id=currency_id, units=of_day, on=on)
        for currency_id, of_days in units.items()
        for of_day, on in zip(of_days, days, strict=True)
    ]
    converted = convert(db, user_id, amounts, to_currency_id)
    return [total(converted[place :: len(days)]) for place in range(len(days))]


def _load_places(db: Unit, foreign: Sequence[DatedAmount], to_currency_id: int) -> Iterable[Currency]:
    return currencies.by_ids(db, {to_currency_id, *(one.currency_id for one in foreign)}).values() if foreign else ()


def _convert(amount: DatedAmount, known: "KnownRates", places: dict[int, int]) -> Conversion:
    """Nothing is nothing in every currency, whether or not a rate is known."""
    if amount.currency_id == known.to_id or not amount.units:
        return Conversion(amount=amount, exact=Fraction(amount.units))
    used = known.find(amount.currency_id, amount.on)
    if used is None:
        return Conversion(amount=amount, exact=None)
    above, below = (
        used.rate.numerator * 10 ** places[known.to_id],
        used.rate.denominator * 10 ** places[amount.currency_id],
    )
    return Conversion(amount=amount, exact=Fraction(amount.units * above, below), rate=used)


class _Quote(Struct, frozen=True, order=True):
    """A stored rate. In the order in which they count: the latest, then the user's own, then as it was stored."""

    on: str
    is_own: bool
    is_direct: bool
    text: str

    @property
    def rate(self) -> Fraction:
        return _read_rate(self.text, self.is_direct)


@lru_cache(maxsize=4096)
def _read_rate(text: str, is_direct: bool) -> Fraction:
    """Cached, because many days have the same rate, and reading it takes ten times as long as a lookup."""
    rate = Fraction(text)
    return rate if is_direct else 1 / rate


class KnownRates:
    """What was loaded for some currencies and days, and all that follows from it."""

    def __init__(self, to_id: int, hubs: dict[int, list[int]], quotes: dict[tuple[int, int, str], _Quote]) -> None:
        self.to_id = to_id
        self._hubs = hubs
        self._quotes = quotes
        self._found: dict[tuple[int, str], UsedRate | None] = {}

    def find(self, from_id: int, on: str) -> UsedRate | None:
        """The latest; a rate of the pair itself comes before one through a third currency of the same day."""
        key = from_id, on
        if key not in self._found:
            candidates = self._list_candidates(from_id, on)
            self._found[key] = max(candidates, key=lambda one: (one.on, -(one.via_id or 0)), default=None)
        return self._found[key]

    def _list_candidates(self, from_id: int, on: str) -> Iterator[UsedRate]:
        quote = self._quotes.get((from_id, self.to_id, on))
        if quote:
            yield UsedRate(from_id=from_id, to_id=self.to_id, on=quote.on, rate=quote.rate)
        for hub in self._hubs.get(from_id, ()):
            there, back = self._quotes.get((from_id, hub, on)), self._quotes.get((hub, self.to_id, on))
            if there and back:
                rate, day = there.rate * back.rate, min(there.on, back.on)
                yield UsedRate(from_id=from_id, to_id=self.to_id, on=day, rate=rate, via_id=hub)


def load_rates(db: Unit, user_id: int, amounts: Sequence[DatedAmount], to_currency_id: int) -> KnownRates:
    """By two queries; by none if nothing has to be converted."""
    if not amounts:
        return KnownRates(to_currency_id, {}, {})
    pairs = _load_pairs(db, user_id)
    neighbours: dict[int, set[int]] = defaultdict(set)
    for one, other in pairs:
        neighbours[one].add(other)
        neighbours[other].add(one)
    from_ids = {one.currency_id for one in amounts}
    hubs = {one: sorted(neighbours[one] & neighbours[to_currency_id])[:HUBS_MAX] for one in from_ids}
    steps = {(one, to_currency_id) for one in from_ids}
    steps |= {step for one, between in hubs.items() for hub in between for step in ((one, hub), (hub, to_currency_id))}
    stored = [pair for pair in pairs if pair in steps or pair[::-1] in steps]
    quotes = _load_quotes(db, user_id, stored, {one.on for one in amounts})
    return KnownRates(to_currency_id, hubs, quotes)


def _list_pairs_of(name: str, table: str, whose: str) -> str:
    """SQL for the pairs of a table, found by stepping through its index: it does not read the rates."""
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


def _load_pairs(db: Unit, user_id: int) -> list[Pair]:
    return [(from_id, to_id) for from_id, to_id in db.all(_PAIRS, user_id=user_id)]


# Every pair on every day; both come as JSON.
_ASKED_ON_SQLITE = """
SELECT p.value ->> 0 AS f, p.value ->> 1 AS t, d.value AS on_day
FROM json_each(:pairs) p CROSS JOIN json_each(:days) d
"""
_ASKED_ON_POSTGRES = """
SELECT (p.value ->> 0)::bigint AS f, (p.value ->> 1)::bigint AS t, d.value AS on_day
FROM json_array_elements(:pairs::json) AS p (value)
CROSS JOIN json_array_elements_text(:days::json) AS d (value)
"""
# Day and rate in one text, because a subquery gives one value; neither has a space.
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
    """For each pair, in both directions, and each day: the rate that counts."""
    asked = dialects.choose(db, sqlite=_ASKED_ON_SQLITE, postgresql=_ASKED_ON_POSTGRES)
    rows = db.all(
        f"WITH asked AS ({asked}) {_QUOTES}",
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
                    _keep_better(best, key, _Quote(on=day, is_own=is_own, is_direct=is_direct, text=rate))
    return best


def _keep_better(best: dict[tuple[int, int, str], _Quote], key: tuple[int, int, str], quote: _Quote) -> None:
    if key not in best or best[key] < quote:
        best[key] = quote
