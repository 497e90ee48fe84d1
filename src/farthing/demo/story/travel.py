"""Tells the household's trips: a weekend in London, two weeks in Brittany, and Boston in autumn."""

from collections.abc import Iterator
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from .days import SATURDAY, falls_on, weekday_from
from .habits import spending
from .scene import CURRENT, DOLLARS, HOLIDAY_FUND, TO_THE_TEN, Foreign, Move, Scene, move

_TRIP_DOLLAR_CENTS = 120_000


class Trip(Struct, frozen=True):
    """Starts on the first Saturday on or after that day of the month."""

    name: str
    month: int
    from_day: int
    days: int

    def first_day(self, year: int) -> date:
        return weekday_from(date(year, self.month, self.from_day), SATURDAY)

    def covers(self, day: date) -> bool:
        first = self.first_day(day.year)
        return first <= day < first + timedelta(days=self.days)


TRIPS = (
    Trip(name="London", month=5, from_day=8, days=2),
    Trip(name="Brittany", month=7, from_day=12, days=14),
    Trip(name="Boston", month=10, from_day=22, days=9),
)


def trip_of(day: date) -> Trip | None:
    return next((trip for trip in TRIPS if trip.covers(day)), None)


def away(scene: Scene) -> Iterator[Move]:
    """Turns the rest of the fund into spending money at the start of a trip."""
    trip = trip_of(scene.day)
    assert trip is not None
    tags = (f"{trip.name} {scene.day.year}",)
    saved = min(80_000, scene.balances.cents[HOLIDAY_FUND]) // TO_THE_TEN * TO_THE_TEN
    if scene.day == trip.first_day(scene.day.year) and saved >= 10_000:
        about = f"Spending money for {trip.name}"
        yield replace(move("transfer", scene.day, HOLIDAY_FUND, CURRENT, about, saved, "Savings"), tags=tags)
    for bought in spending(scene, trip.name):
        yield replace(bought, tags=tags)


def dollars(scene: Scene) -> Iterator[Move]:
    """Tops up what Tom has earned, some weeks before Boston."""
    missing = _TRIP_DOLLAR_CENTS - scene.balances.cents[DOLLARS]
    if scene.day.month == 9 and falls_on(scene.day, 19) and missing > 10_000:
        cents = (missing + 9_999) // 10_000 * 10_000
        euros = (cents * 10_000 + scene.rate("USD") // 2) // scene.rate("USD")
        bought = move("transfer", scene.day, CURRENT, DOLLARS, "Dollars for Boston", euros, "Travel")
        yield replace(bought, foreign=Foreign(cents, "USD"), tags=(f"Boston {scene.day.year}",))
