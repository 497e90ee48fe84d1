"""Defines a move of money and the scene of a day: prices, chance and balances."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from .chance import Chance
from .days import month_back, months_between

T = TypeVar("T")

CURRENT = "Current account"
CARD = "Credit card"
SAVINGS = "Savings"
HOLIDAY_FUND = "Holiday fund"
DOLLARS = "Dollar account"
MORTGAGE = "Mortgage on the Mallow flat"
CAR_LOAN = "Car loan"
OWN = (CURRENT, CARD, SAVINGS, HOLIDAY_FUND, DOLLARS, MORTGAGE, CAR_LOAN)

# A price is rounded to a multiple of these cents, or to just below the next euro.
TO_THE_CENT, TO_THE_EURO, TO_THE_TEN = 1, 100, 1000
JUST_BELOW = 99

# The price a month earlier, per mille; inflation is about 2.4 per cent a year.
_MONTH_BACK_PER_MILLE = 998

# The price of a euro in ten-thousandths of the foreign currency.
USUAL_RATES = {"USD": 10_850, "GBP": 8_560}


class StorySplit(Struct, frozen=True):
    cents: int
    about: str | None = None
    category: str | None = None
    budget: str | None = None


class Foreign(Struct, frozen=True):
    cents: int
    code: str


class Move(Struct, frozen=True):
    """Describes a transaction as the household would note it; None as a side means cash."""

    on: date
    type: str
    source: str | None
    destination: str | None
    about: str
    parts: tuple[StorySplit, ...]
    foreign: Foreign | None = None
    tags: tuple[str, ...] = ()
    notes: str | None = None
    reference: str | None = None
    invoiced_on: date | None = None
    due_on: date | None = None

    @property
    def cents(self) -> int:
        return sum(part.cents for part in self.parts)

    @property
    def currency(self) -> str:
        """The currency of the household's own account; of two, that of the source."""
        own = self.source if self.source in OWN else self.destination
        return "USD" if own == DOLLARS else "EUR"

    @property
    def arriving_cents(self) -> int:
        """A transfer between currencies arrives as the foreign amount."""
        return self.foreign.cents if self.foreign and self.type == "transfer" else self.cents


def move(
    kind: str,
    on: date,
    source: str | None,
    destination: str | None,
    about: str,
    cents: int,
    category: str,
    budget: str | None = None,
) -> Move:
    """Returns a transaction with a single split."""
    parts = (StorySplit(cents, category=category, budget=budget),)
    return Move(on=on, type=kind, source=source, destination=destination, about=about, parts=parts)


class Balances(Struct):
    """Keeps the balances at this point of the story, in cents; debts are negative."""

    cents: Counter[str] = field(default_factory=Counter)
    card_statement: int = 0

    def apply(self, move: Move) -> None:
        if move.source in OWN:
            self.cents[move.source] -= move.cents
        if move.destination in OWN:
            self.cents[move.destination] += move.arriving_cents

    def close_statement(self) -> None:
        """Makes the card's spending so far due this month."""
        self.card_statement = -self.cents[CARD]

    @property
    def free(self) -> int:
        """Returns what the current account would hold after paying the card."""
        return self.cents[CURRENT] + self.cents[CARD]


class Scene(Struct, frozen=True):
    day: date
    begins_on: date
    today: date
    chance: Chance
    balances: Balances

    def cost(self, cents: int, rounded: int = TO_THE_CENT, since: date | None = None) -> int:
        """Converts today's price to that of this day, or of the day on which the price last changed."""
        months = max(0, months_between(since or self.day, self.today))
        then = int(cents * _MONTH_BACK_PER_MILLE**months // 1000**months)
        if rounded == JUST_BELOW:
            return then // 100 * 100 + 99
        return max(rounded, (then + rounded // 2) // rounded * rounded)

    def yearly_cost(self, cents: int, rounded: int = TO_THE_CENT, month: int = 1) -> int:
        """Returns a price that changes once a year, in that month."""
        year = self.day.year if self.day.month >= month else self.day.year - 1
        return self.cost(cents, rounded, since=date(year, month, 1))

    def happens(self, topic: str, per_mille: int) -> bool:
        return self.chance.happens(self.day, topic, per_mille)

    def between(self, topic: str, low: int, high: int) -> int:
        return self.chance.between(self.day, topic, low, high)

    def one_of(self, topic: str, options: tuple[T, ...]) -> T:
        return self.chance.one_of(self.day, topic, options)

    def exchange(self, move: Move, code: str) -> Move:
        """Takes the amounts of the move as foreign, and books it in euros with the foreign amount kept."""
        rate = self.rate(code)
        part = replace(move.parts[0], cents=max(1, (move.cents * 10_000 + rate // 2) // rate))
        return replace(move, parts=(part,), foreign=Foreign(move.cents, code))

    def rate(self, code: str) -> int:
        """Returns the price of a euro in ten-thousandths of the foreign currency. It varies by month and by day."""
        month = self.chance.between(month_back(self.day, 0), f"rate {code}", -300, 300)
        return USUAL_RATES[code] + month + self.between(f"rate {code}", -40, 40)


Chapter = Callable[[Scene], Iterator[Move]]
