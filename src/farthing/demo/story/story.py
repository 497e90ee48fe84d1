"""Writes the whole story, day by day; the same arguments give the same story."""

from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from . import YEARS_MAX, bills, habits, income, saving, travel
from .chance import Chance
from .days import each_day, month_back
from .household import AccountOpening, accounts
from .scene import Chapter, Move, Purse, Scene

SEED = 1662

# In this order on every day: income, obligations, spending, and finally transfers that balance it.
_ALWAYS: tuple[Chapter, ...] = (
    income.income, saving.standing_orders, bills.bills, bills.loans, bills.new_car, saving.card_bill, saving.pension,
    travel.bookings, travel.dollars, travel.spending_money, habits.claims, habits.feasts,
)  # fmt: skip
_AT_HOME: tuple[Chapter, ...] = (habits.weekly_shop, habits.spending, habits.clothes)
_SHUT = ((1, 1), (12, 25), (12, 26))
_AT_NIGHT: tuple[Chapter, ...] = (saving.surplus, saving.rescue)


class Story(Struct, frozen=True):
    begins_on: date
    accounts: list[AccountOpening]
    moves: list[Move]


def tell(today: date, years: int, seed: int = SEED) -> Story:
    """Starts at the beginning of a month, `years` years ago."""
    assert 1 <= years <= YEARS_MAX
    begins_on = month_back(today, 12 * years)
    opened = accounts(begins_on, today)
    purse = Purse()
    for account in opened:
        purse.holds[account.name] = account.cents
    moves = _moves(begins_on, today, Chance(seed), purse)
    # A day may produce moves for later days, so moves are sorted by day.
    return Story(begins_on=begins_on, accounts=opened, moves=sorted(moves, key=lambda move: move.on))


def _moves(begins_on: date, today: date, chance: Chance, purse: Purse) -> Iterator[Move]:
    for day in each_day(begins_on, today):
        if day.day == 1:
            purse.close_statement()
        scene = Scene(day=day, begins_on=begins_on, today=today, chance=chance, purse=purse)
        for chapter in _chapters(day):
            for move in chapter(scene):
                purse.apply(move)
                yield move


def _chapters(day: date) -> tuple[Chapter, ...]:
    """On a trip, its habits replace those at home; on some holidays all shops are closed."""
    if (day.month, day.day) in _SHUT:
        return (*_ALWAYS, *_AT_NIGHT)
    return (*_ALWAYS, *((travel.away,) if travel.trip_of(day) else _AT_HOME), *_AT_NIGHT)
