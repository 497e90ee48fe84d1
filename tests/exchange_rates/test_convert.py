"""Converting amounts: which rate counts, and exact arithmetic, held against a model that tries everything."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from msgspec import Struct

from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates import store
from farthing.books.exchange_rates.convert import DatedAmount, convert, total
from farthing.books.exchange_rates.model import ExchangeRateDraft
from farthing.kernel.money import Currency
from farthing.storage.unit import Unit

from ..builders import Books

NOW = "2024-05-15T12:00:00+00:00"
CODES = ("EUR", "USD", "JPY", "KWD", "ETH")


class Quoted(Struct, frozen=True):
    """A rate of the model: who says it, of what, and when."""

    is_own: bool
    source: str
    target: str
    on: date
    rate: Decimal


class Rates:
    """A user's rates in a unit of work that is rolled back."""

    def __init__(self, db: Unit, user_id: int) -> None:
        self.db, self.user_id = db, user_id
        self.coins: dict[str, Currency] = currencies.all_coded(db)

    def add(self, text: str, *, own: bool = True) -> None:
        """`2024-05-01 EUR USD 1.08`"""
        on, source, target, rate = text.split()
        self.store([Quoted(own, source, target, date.fromisoformat(on), Decimal(rate))])

    def store(self, rates: list[Quoted]) -> None:
        for own in (True, False):
            drafts = [
                ExchangeRateDraft(
                    from_currency=self.coins[one.source], to_currency=self.coins[one.target], on=one.on, rate=one.rate
                )
                for one in rates
                if one.is_own is own
            ]
            if own:
                store.put(self.db, self.user_id, drafts, NOW)
            else:
                store.publish(self.db, drafts, source="test", now=NOW)

    def convert(self, target: str, *amounts: str) -> list[str]:
        """`1000 USD 2024-05-03`, in units, becomes units, the day of the rate, and the currency it went through."""
        codes = {one.id: one.code for one in self.coins.values()}
        asked = [
            DatedAmount(currency_id=self.coins[code].id, units=int(units), on=on)
            for units, code, on in (amount.split() for amount in amounts)
        ]
        told = []
        for one in convert(self.db, self.user_id, asked, self.coins[target].id):
            rate = one.rate
            via = f" via {codes[rate.via_id]}" if rate and rate.via_id else ""
            told.append(f"{one.units}{f' of {rate.on}' if rate else ''}{via}")
        return told


@contextmanager
def rolled_back(books: Books) -> Iterator[Rates]:
    class Enough(Exception):
        pass

    try:
        with books.writing() as db:
            yield Rates(db, books.user_id)
            raise Enough
    except Enough:
        pass


@pytest.fixture
def rates(books: Books) -> Iterator[Rates]:
    with rolled_back(books) as found:
        yield found


def test_the_latest_rate_on_or_before_the_day_counts(rates: Rates) -> None:
    rates.add("2024-05-01 USD EUR 0.90")
    rates.add("2024-05-03 USD EUR 0.95")

    told = rates.convert(
        "EUR", "1000 USD 2024-04-30", "1000 USD 2024-05-02", "1000 USD 2024-05-03", "1000 USD 2025-01-01"
    )

    assert told == ["None", "900 of 2024-05-01", "950 of 2024-05-03", "950 of 2024-05-03"]


def test_on_the_same_day_a_users_own_rate_beats_a_published_one(rates: Rates) -> None:
    rates.add("2024-05-01 USD EUR 0.90", own=False)
    rates.add("2024-05-01 EUR USD 1.25")
    rates.add("2024-05-02 USD EUR 0.91", own=False)

    assert rates.convert("EUR", "1000 USD 2024-05-01", "1000 USD 2024-05-02") == [
        "800 of 2024-05-01",
        "910 of 2024-05-02",
    ]


def test_two_currencies_meet_through_a_third_and_the_earlier_day_is_named(rates: Rates) -> None:
    rates.add("2024-05-02 EUR USD 1.25", own=False)
    rates.add("2024-05-01 EUR JPY 160", own=False)

    assert rates.convert("JPY", "1000 USD 2024-05-10") == ["1280 of 2024-05-01 via EUR"]


def test_halves_are_rounded_to_even_once_and_debts_like_possessions(rates: Rates) -> None:
    rates.add("2024-05-01 USD EUR 0.5")

    told = rates.convert("EUR", "1 USD 2024-05-01", "3 USD 2024-05-01", "-3 USD 2024-05-01", "5 USD 2024-05-01")

    assert [one.split()[0] for one in told] == ["0", "2", "-2", "2"]


def test_a_total_is_rounded_once_and_names_what_is_missing(rates: Rates) -> None:
    rates.add("2024-05-02 USD EUR 0.005")
    rates.add("2024-05-01 KWD EUR 3.05")
    ids = {code: rates.coins[code].id for code in CODES}
    amounts = [
        DatedAmount(currency_id=ids[code], units=units, on="2024-05-10")
        for code, units in {"EUR": 7, "USD": 101, "KWD": 1000, "ETH": 5, "JPY": 0}.items()
    ]

    found = total(convert(rates.db, rates.user_id, amounts, ids["EUR"]))

    # 7 + 0.505 + 305 units; nothing in yen needs no rate.
    assert (found.units, found.rates_on, found.missing_ids) == (313, "2024-05-01", (ids["ETH"],))


def best_path(rates: list[Quoted], source: str, target: str, on: date) -> tuple[date, Fraction] | None:
    """Tries every rate and every currency between; the first in the order of the rules wins."""

    def step(one: str, other: str) -> tuple[date, Fraction] | None:
        found = [
            (rate.on, rate.is_own, rate.source == one, Fraction(rate.rate) ** (1 if rate.source == one else -1))
            for rate in rates
            if {rate.source, rate.target} == {one, other} and rate.on <= on
        ]
        return (max(found)[0], max(found)[3]) if found else None

    direct = step(source, target)
    through = [
        (min(there[0], back[0]), there[1] * back[1])
        for hub in CODES
        if hub not in (source, target) and (there := step(source, hub)) and (back := step(hub, target))
    ]
    candidates = [*([direct] if direct else []), *through]
    return max(candidates, key=lambda found: found[0], default=None)


def half_even(exact: Fraction) -> int:
    below, rest = divmod(exact.numerator, exact.denominator)
    is_up = 2 * rest > exact.denominator or (2 * rest == exact.denominator and below % 2 == 1)
    return below + is_up


def some_rates(random: Random) -> list[Quoted]:
    """On few days, so that they meet; with gaps, in both directions, own and published."""
    found: dict[tuple[bool, str, str, date], Quoted] = {}
    for _ in range(random.randint(0, 25)):
        source, target = random.sample(CODES, 2)
        on, own = date(2024, 5, 1) + timedelta(days=random.randint(0, 6)), random.random() < 0.5
        rate = Decimal(random.randint(1, 10**6)).scaleb(-random.randint(0, 9))
        found[own, source, target, on] = Quoted(own, source, target, on, rate)
    return list(found.values())


@pytest.mark.parametrize("seed", range(3))
def test_any_rates_give_what_trying_everything_gives(books: Books, seed: int) -> None:
    random = Random(seed)
    for _ in range(12):
        with rolled_back(books) as rates:
            known, target = some_rates(random), random.choice(CODES)
            rates.store(known)
            asked = [
                (random.choice(CODES), random.randint(-(10**9), 10**9), date(2024, 4, 29) + timedelta(days=day))
                for day in range(12)
                for _ in range(3)
            ]
            amounts = [DatedAmount(currency_id=rates.coins[code].id, units=n, on=str(on)) for code, n, on in asked]

            found = convert(rates.db, rates.user_id, amounts, rates.coins[target].id)

            for (code, units, on), one in zip(asked, found, strict=True):
                best = (None, Fraction(1)) if code == target else best_path(known, code, target, on)
                scale = Fraction(10) ** (rates.coins[target].places - rates.coins[code].places)
                expected = half_even(units * best[1] * scale) if best else None
                assert (one.units, one.rate and one.rate.on) == (expected, best and best[0] and str(best[0]))


def test_any_number_of_days_takes_three_queries(rates: Rates) -> None:
    rates.add("2024-01-01 EUR USD 1.25", own=False)
    days = [str(date(2024, 1, 1) + timedelta(days=number)) for number in range(400)]
    amounts = [DatedAmount(currency_id=rates.coins["USD"].id, units=100, on=on) for on in days]
    counted = Counting(rates.db)

    found = convert(counted, rates.user_id, amounts, rates.coins["EUR"].id)  # type: ignore[arg-type]

    assert (len(counted.asked), {one.units for one in found}) == (3, {80})


class Counting:
    """A unit of work that counts its queries."""

    def __init__(self, db: Unit) -> None:
        self._db, self.dialect = db, db.dialect
        self.asked: list[str] = []

    def all(self, sql: str, **parameters: object) -> object:
        self.asked.append(sql)
        return self._db.all(sql, **parameters)

    def ask(self, sql: str, **parameters: object) -> object:
        self.asked.append(sql)
        return self._db.ask(sql, **parameters)

    def ask_structs(self, model: type, sql: str, **parameters: object) -> object:
        self.asked.append(sql)
        return self._db.ask_structs(model, sql, **parameters)
