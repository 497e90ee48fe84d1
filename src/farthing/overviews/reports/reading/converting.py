"""Converts the amounts of a report into one currency, each part at the exchange rate on its last day.

Amounts without a rate stay in their own currency, which the report lists. Each figure is rounded once, half to even.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates.convert import DatedAmount, load_rates
from farthing.kernel.money import Currency
from farthing.storage.unit import Unit

Parts = Mapping[int, Sequence[int]]
# Amounts by part, and the last day of each part, whose exchange rate applies.
AmountsOfDays = tuple[Iterable[Parts], Sequence[str]]


class Converter:
    """Converts amounts. Records the day of the oldest rate used per currency, and the currencies without a rate."""

    def __init__(self, db: Unit, user_id: int, to: Currency) -> None:
        self.to = to
        self.rates_on: dict[int, str] = {}
        self.missing: set[int] = set()
        self._db = db
        self._user_id = user_id

    def like(self) -> "Converter":
        """Returns a new converter into the same currency, with nothing recorded yet."""
        return Converter(self._db, self._user_id, self.to)

    def convert(self, many: Iterable[Parts], days: Sequence[str]) -> list[dict[int, list[int]]]:
        [converted] = self.convert_ranges([(many, days)])
        return converted

    def convert_ranges(self, ranges: Iterable[AmountsOfDays]) -> list[list[dict[int, list[int]]]]:
        """Converts a currency in all ranges or in none, so that ranges can be compared. Needs only a few queries."""
        inputs = [(list(many), days) for many, days in ranges]
        days_of: dict[int, set[str]] = defaultdict(set)
        for many, days in inputs:
            for currency_id in {
                currency_id for amounts in many for currency_id, parts in amounts.items() if any(parts)
            }:
                days_of[currency_id].update(days)
        days_of.pop(self.to.id, None)
        rates = self._find_rates(days_of)
        return [[self._convert(amounts, days, rates) for amounts in many] for many, days in inputs]

    def _find_rates(self, days_of: Mapping[int, Iterable[str]]) -> dict[int, dict[str, Fraction]]:
        """Finds rates by currency and day, scaled to units of the target. Omits currencies that lack a rate."""
        dated = [
            DatedAmount(currency_id=currency_id, units=1, on=on) for currency_id, days in days_of.items() for on in days
        ]
        rates = load_rates(self._db, self._user_id, dated, self.to.id)
        scaled: dict[int, dict[str, Fraction]] = {}
        for currency in currencies.by_ids(self._db, set(days_of)).values():
            used = {on: rate for on in days_of[currency.id] if (rate := rates.find(currency.id, on))}
            if len(used) < len(set(days_of[currency.id])):
                self.missing.add(currency.id)
                continue
            oldest = min(rate.on for rate in used.values())
            self.rates_on[currency.id] = min(oldest, self.rates_on.get(currency.id, oldest))
            scale = Fraction(10) ** (self.to.places - currency.places)
            scaled[currency.id] = {on: rate.rate * scale for on, rate in used.items()}
        return scaled

    def _convert(
        self, amounts: Parts, days: Sequence[str], rates: Mapping[int, Mapping[str, Fraction]]
    ) -> dict[int, list[int]]:
        exact: dict[int, list[Fraction]] = {}
        for currency_id, parts in amounts.items():
            is_left = any(parts) and currency_id not in rates
            into = currency_id if is_left else self.to.id
            factors = [rates.get(currency_id, {}).get(on, Fraction(1)) for on in days]
            sums = exact.setdefault(into, [Fraction(0)] * len(parts))
            exact[into] = [total + units * rate for total, units, rate in zip(sums, parts, factors, strict=True)]
        return {currency_id: [round(units) for units in parts] for currency_id, parts in exact.items()}
