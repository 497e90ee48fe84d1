"""Converts the amounts of a report into one currency: each part at the rate of its last day.

Amounts without a rate stay in their own currency, and are named. Each figure is rounded once, half to even.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates.convert import DatedAmount, KnownRates, load_rates
from farthing.kernel.money import Currency
from farthing.storage.unit import Unit

Parts = Mapping[int, Sequence[int]]


class Converter:
    """Remembers the days of the rates that it used, the oldest for each currency, and what has no rate."""

    def __init__(self, db: Unit, user_id: int, to: Currency) -> None:
        self.to = to
        self.rates_on: dict[int, str] = {}
        self.missing: set[int] = set()
        self._db = db
        self._user_id = user_id

    def convert(self, many: Iterable[Parts], days: Sequence[str]) -> list[dict[int, list[int]]]:
        """`days` are those of the parts. A few queries for any number of amounts."""
        given = list(many)
        foreign = {one for amounts in given for one, parts in amounts.items() if any(parts)} - {self.to.id}
        wanted = [DatedAmount(currency_id=one, units=1, on=on) for one in sorted(foreign) for on in dict.fromkeys(days)]
        known = load_rates(self._db, self._user_id, wanted, self.to.id)
        places = {one.id: one.places for one in currencies.by_ids(self._db, foreign).values()}
        rates = {one: self._find_rates(known, one, days, places[one]) for one in foreign}
        return [self._convert(amounts, rates) for amounts in given]

    def _find_rates(
        self, known: KnownRates, currency_id: int, days: Sequence[str], places: int
    ) -> list[Fraction] | None:
        """In units of the target, for each part; None if one of them is not known."""
        used = [known.find(currency_id, on) for on in days]
        found = [one for one in used if one is not None]
        if len(found) < len(days):
            self.missing.add(currency_id)
            return None
        oldest = min(one.on for one in found)
        self.rates_on[currency_id] = min(oldest, self.rates_on.get(currency_id, oldest))
        scale = Fraction(10) ** (self.to.places - places)
        return [one.rate * scale for one in found]

    def _convert(self, amounts: Parts, rates: Mapping[int, list[Fraction] | None]) -> dict[int, list[int]]:
        exact: dict[int, list[Fraction]] = {}
        for currency_id, parts in amounts.items():
            of_parts = rates.get(currency_id)
            into = currency_id if of_parts is None and any(parts) else self.to.id
            factors = of_parts or [Fraction(1)] * len(parts)
            sums = exact.setdefault(into, [Fraction(0)] * len(parts))
            exact[into] = [one + units * rate for one, units, rate in zip(sums, parts, factors, strict=True)]
        return {currency_id: [round(one) for one in parts] for currency_id, parts in exact.items()}
