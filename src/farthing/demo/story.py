"""What happened, day by day? The whole story from its first day until today, decided by nothing but its arguments."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from . import YEARS_MAX, bills, habits, income, saving, travel
from .chance import Chance
from .days import each_day, month_back
from .household import Opened, accounts
from .scene import Chapter, Move, Purse, Scene

SEED = 1662

# In this order on every day: what comes in, what must go out, what is spent, what is put right.
_ALWAYS: tuple[Chapter, ...] = (
    income.income, saving.standing_orders, bills.bills, bills.loans, bills.new_car, saving.card_bill, saving.pension,
    travel.bookings, travel.dollars, travel.spending_money, habits.claims, habits.feasts,
)  # fmt: skip
_AT_HOME: tuple[Chapter, ...] = (habits.weekly_shop, habits.spending, habits.clothes)
_SHUT = ((1, 1), (12, 25), (12, 26))
_AT_NIGHT: tuple[Chapter, ...] = (saving.surplus, saving.rescue)


@dataclass(frozen=True)
class Story:
    begins_on: date
    accounts: list[Opened]
    moves: list[Move]


def told(today: date, years: int, seed: int = SEED) -> Story:
    """Begins with a whole month, so many years ago: each season is in it, however short it is."""
    assert 1 <= years <= YEARS_MAX
    begins_on = month_back(today, 12 * years)
    opened = accounts(begins_on, today)
    purse = Purse()
    for account in opened:
        purse.holds[account.name] = account.cents
    moves = _moves(begins_on, today, Chance(seed), purse)
    # A day may already know what will follow from it: sorted, each move stands on its own day.
    return Story(begins_on, opened, sorted(moves, key=lambda move: move.on))


def _moves(begins_on: date, today: date, chance: Chance, purse: Purse) -> Iterator[Move]:
    for day in each_day(begins_on, today):
        if day.day == 1:
            purse.close_statement()
        scene = Scene(day, begins_on, today, chance, purse)
        for chapter in _chapters(day):
            for move in chapter(scene):
                purse.apply(move)
                yield move


def _chapters(day: date) -> tuple[Chapter, ...]:
    """Away from home the habits of the trip take the place of those at home; on some days all shops are shut."""
    if (day.month, day.day) in _SHUT:
        return (*_ALWAYS, *_AT_NIGHT)
    return (*_ALWAYS, *((travel.away,) if travel.trip_of(day) else _AT_HOME), *_AT_NIGHT)
