"""Defines a move of money, and the scene of a day with its prices, random choices and balances."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from hashlib import blake2b
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

T = TypeVar("T")
# The names of the source and destination accounts. None means cash.
Sides = tuple[str | None, str | None]

CURRENT, CARD, SAVINGS, HOLIDAY_FUND = "Current account", "Credit card", "Savings", "Holiday fund"
DOLLARS, MORTGAGE, CAR_LOAN = "Dollar account", "Mortgage on the Mallow flat", "Car loan"
OWN = (CURRENT, CARD, SAVINGS, HOLIDAY_FUND, DOLLARS, MORTGAGE, CAR_LOAN)

# A price is rounded to a multiple of this many cents, or to just below the next euro.
TO_THE_CENT, TO_THE_EURO, TO_THE_TEN = 1, 100, 1000
JUST_BELOW = 99
# The price a month earlier, per mille of today's. Inflation is about 2.4 per cent a year.
_MONTH_BACK_PER_MILLE = 998
# The price of a euro in ten-thousandths of the foreign currency.
USUAL_RATES = {"USD": 10_850, "GBP": 8_560}
MONDAY, FRIDAY, SATURDAY = 0, 4, 5
_WEEKDAYS = {"Tuesday": 1, "Thursday": 3}


def month_back(day: date, months: int) -> date:
    """Returns the first day of the month that is this many months before the day's month."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, 1)


def months_between(earlier: date, later: date) -> int:
    return (later.year - earlier.year) * 12 + later.month - earlier.month


def month_end(day: date) -> date:
    return month_back(day, -1) - timedelta(days=1)


def weekday_from(day: date, weekday: int) -> date:
    """Returns the first day on or after `day` that is this weekday, from 0 for Monday."""
    return day + timedelta(days=(weekday - day.weekday()) % 7)


def falls_on(day: date, planned: int, rule: str = "after") -> bool:
    """Tells whether a payment that is planned for the day `planned` of the month is made on `day`.

    With the rules "after" and "before", a payment on a weekend is moved to the Monday after or the Friday before. The
    name of a weekday means the first such weekday from the planned day on. With any other rule, the payment
    is made exactly on the planned day.
    """
    planned_on = day.replace(day=min(planned, month_end(day).day))
    if rule in _WEEKDAYS:
        planned_on = weekday_from(planned_on, _WEEKDAYS[rule])
    elif rule == "before":
        planned_on -= timedelta(days=max(0, planned_on.weekday() - FRIDAY))
    elif rule == "after" and planned_on.weekday() >= SATURDAY:
        planned_on = weekday_from(planned_on, MONDAY)
    return planned_on == day


class StorySplit(Struct, frozen=True):
    cents: int
    category: str
    budget: str | None = None
    about: str | None = None


class Move(Struct, frozen=True):
    """A transaction as the household would note it down. A move with a reference pays an invoice."""

    type: str
    on: date
    source: str | None
    destination: str | None
    about: str
    parts: tuple[StorySplit, ...]
    foreign_cents: int = 0
    foreign_code: str | None = None
    tags: tuple[str, ...] = ()
    notes: str | None = None
    reference: str | None = None

    @property
    def cents(self) -> int:
        return sum(part.cents for part in self.parts)

    @property
    def currency(self) -> str:
        """Returns the currency of the household's account, or of the source if both accounts are the household's."""
        own = self.source if self.source in OWN else self.destination
        return "USD" if own == DOLLARS else "EUR"

    @property
    def invoiced_on(self) -> date:
        return self.on - timedelta(days=14)


def book(cents: Counter[str], move: Move) -> None:
    """Applies a move to the balances. In a transfer between currencies, the foreign amount arrives."""
    if move.source in OWN:
        cents[move.source] -= move.cents
    if move.destination in OWN:
        cents[move.destination] += move.foreign_cents if move.foreign_code and move.type == "transfer" else move.cents


class Scene(Struct):
    """Holds the state of the story on one day. `cents` are the balances of accounts. Debts are negative.

    Random numbers depend only on the seed, the day and the topic. So adding or removing a habit does not change any
    other event.
    """

    begins_on: date
    today: date
    seed: int
    day: date
    cents: Counter[str]
    card_statement: int = 0

    @property
    def free(self) -> int:
        """Returns the balance that the current account would have if the credit card were paid off now."""
        return self.cents[CURRENT] + self.cents[CARD]

    def draw(self, topic: str, below: int, day: date | None = None) -> int:
        digest = blake2b(f"{self.seed}|{day or self.day}|{topic}".encode(), digest_size=8).digest()
        return int.from_bytes(digest) % below

    def between(self, topic: str, low: int, high: int, day: date | None = None) -> int:
        """Draws a number between `low` and `high`. As with two dice, the middle is more likely than the ends."""
        reach = high - low + 1
        return low + (self.draw(f"{topic}/a", reach, day) + self.draw(f"{topic}/b", reach, day)) // 2

    def happens(self, topic: str, per_mille: int) -> bool:
        return self.draw(f"{topic}?", 1000) < per_mille

    def choose(self, topic: str, options: Sequence[T]) -> T:
        return options[self.draw(f"{topic}#", len(options))]

    def cost(self, cents: int, rounded: int = TO_THE_CENT, since: date | None = None) -> int:
        """Converts a price at the story's end to the price on `since` or, if that is None, on the scene's day."""
        months = max(0, months_between(since or self.day, self.today))
        then = int(cents * _MONTH_BACK_PER_MILLE**months // 1000**months)
        if rounded == JUST_BELOW:
            return then // 100 * 100 + 99
        return max(rounded, (then + rounded // 2) // rounded * rounded)

    def yearly_cost(self, cents: int, rounded: int = TO_THE_CENT, month: int = 1) -> int:
        """Works like `cost` on the scene's day, for prices that change only once a year, in `month`."""
        year = self.day.year if self.day.month >= month else self.day.year - 1
        return self.cost(cents, rounded, since=date(year, month, 1))

    def move(
        self, kind: str, sides: Sides, about: str, cents: int, category: str, budget: str | None = None, **more: Any
    ) -> Move:
        """Makes a transaction on the scene's day with a single split."""
        source, destination = sides
        parts = (StorySplit(cents, category, budget),)
        return Move(type=kind, on=self.day, source=source, destination=destination, about=about, parts=parts, **more)

    def exchange(self, move: Move, code: str) -> Move:
        """Converts a move from the currency `code` to euros. The original is kept as the foreign amount."""
        rate = self.rate(code)
        part = replace(move.parts[0], cents=max(1, (move.cents * 10_000 + rate // 2) // rate))
        return replace(move, parts=(part,), foreign_cents=move.cents, foreign_code=code)

    def rate(self, code: str) -> int:
        """Returns the price of a euro, in ten-thousandths of the foreign currency. It varies by month and by day."""
        month = self.between(f"rate {code}", -300, 300, month_back(self.day, 0))
        return USUAL_RATES[code] + month + self.between(f"rate {code}", -40, 40)

    def spend_holiday_fund(self, wanted: int, about: str, tags: tuple[str, ...]) -> Iterator[Move]:
        """Moves `wanted` cents, or as much as is left, from the holiday fund. Moves nothing if too little is left."""
        saved = min(wanted, self.cents[HOLIDAY_FUND]) // TO_THE_TEN * TO_THE_TEN
        if saved >= 10_000:
            yield self.move("transfer", (HOLIDAY_FUND, CURRENT), about, saved, "Savings", tags=tags)
