"""Makes up the whole story, day by day. The same arguments always result in the same story."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from . import YEARS_MAX, events, tables
from .household import AccountOpening, accounts
from .scene import CARD, CURRENT, DOLLARS, SATURDAY, Move, Scene, book, falls_on, month_back, weekday_from

SEED = 1662
_SHUT = ((1, 1), (12, 25), (12, 26))
_SPENDING_MONEY_CENTS, _TRIP_DOLLAR_CENTS = 80_000, 120_000


class Trip(Struct, frozen=True):
    """A trip, which starts on the first Saturday on or after `from_day` of the month."""

    name: str
    month: int
    from_day: int
    days: int

    def first_day(self, year: int) -> date:
        return weekday_from(date(year, self.month, self.from_day), SATURDAY)


TRIPS = tables.read("trips", Trip)


class Story(Struct, frozen=True):
    """The accounts and moves of the household. `cents` are the balances on the last day."""

    begins_on: date
    accounts: list[AccountOpening]
    moves: list[Move]
    cents: Counter[str]


def tell(today: date, years: int, seed: int = SEED) -> Story:
    """Makes up a story from the beginning of this month `years` years ago until today."""
    assert 1 <= years <= YEARS_MAX
    begins_on = month_back(today, 12 * years)
    opened = accounts(begins_on, today)
    cents = Counter({account.name: account.cents for account in opened})
    # A day may produce moves for later days, so moves are sorted by day.
    moves = sorted(_moves(Scene(begins_on, today, seed, begins_on, cents)), key=lambda move: move.on)
    return Story(begins_on=begins_on, accounts=opened, moves=moves, cents=cents)


def _moves(scene: Scene) -> Iterator[Move]:
    while scene.day <= scene.today:
        if scene.day.day == 1:
            scene.card_statement = -scene.cents[CARD]
        for move in _live(scene):
            book(scene.cents, move)
            yield move
        scene.day += timedelta(days=1)


def _live(scene: Scene) -> Iterator[Move]:
    """Yields the moves of one day: income and obligations first, then spending, and transfers to balance them last."""
    yield from events.payments(scene)
    yield from _buy_dollars(scene)
    if scene.day.month == 12 and scene.day.day <= 22:
        yield from events.habits(scene, "Christmas")
    yield from events.birthdays(scene)
    if (scene.day.month, scene.day.day) not in _SHUT:
        yield from _spend(scene)
    yield from events.balance(scene)


def _spend(scene: Scene) -> Iterator[Move]:
    """Yields the spending of one day. Trips begin with money from the holiday fund, and replace the habits at home."""
    year = scene.day.year
    trips = (trip for trip in TRIPS if timedelta() <= scene.day - trip.first_day(year) < timedelta(trip.days))
    if trip := next(trips, None):
        if scene.day == trip.first_day(year):
            about, tags = f"Spending money for {trip.name}", (f"{trip.name} {year}",)
            yield from scene.spend_holiday_fund(_SPENDING_MONEY_CENTS, about, tags)
        yield from events.habits(scene, trip.name)
        return
    yield from events.weekly_shop(scene)
    yield from events.habits(scene)
    yield from events.clothes(scene)


def _buy_dollars(scene: Scene) -> Iterator[Move]:
    """Buys dollars a few weeks before the trip to Boston: as many as Tom's earnings in dollars do not cover."""
    missing = _TRIP_DOLLAR_CENTS - scene.cents[DOLLARS]
    if scene.day.month == 9 and falls_on(scene.day, 19) and missing > 10_000:
        cents = -(-missing // 10_000) * 10_000
        bought = scene.move("transfer", (CURRENT, DOLLARS), "Dollars for Boston", cents, "Travel")
        yield replace(scene.exchange(bought, "USD"), tags=(f"Boston {scene.day.year}",))
