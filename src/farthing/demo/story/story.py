"""Writes the whole story, day by day; the same arguments give the same story."""

from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from . import YEARS_MAX, habits, payments, saving, travel
from .chance import Chance
from .days import each_day, month_back
from .household import AccountOpening, accounts
from .scene import Balances, Chapter, Move, Scene

SEED = 1662

# The order of each day: income and obligations, spending, and finally transfers that balance it.
_ALWAYS: tuple[Chapter, ...] = (
    payments.payments, saving.interest, saving.loans, saving.new_car, saving.card_bill, saving.pension,
    travel.dollars, habits.presents, habits.birthdays,
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
    balances = Balances()
    for account in opened:
        balances.cents[account.name] = account.cents
    moves = _moves(begins_on, today, Chance(seed), balances)
    # A day may produce moves for later days, so moves are sorted by day.
    return Story(begins_on=begins_on, accounts=opened, moves=sorted(moves, key=lambda move: move.on))


def _moves(begins_on: date, today: date, chance: Chance, balances: Balances) -> Iterator[Move]:
    for day in each_day(begins_on, today):
        if day.day == 1:
            balances.close_statement()
        scene = Scene(day=day, begins_on=begins_on, today=today, chance=chance, balances=balances)
        for chapter in _chapters(day):
            for move in chapter(scene):
                balances.apply(move)
                yield move


def _chapters(day: date) -> tuple[Chapter, ...]:
    """The habits of a trip replace those at home; on some holidays all shops are closed."""
    if (day.month, day.day) in _SHUT:
        return (*_ALWAYS, *_AT_NIGHT)
    return (*_ALWAYS, *((travel.away,) if travel.trip_of(day) else _AT_HOME), *_AT_NIGHT)
