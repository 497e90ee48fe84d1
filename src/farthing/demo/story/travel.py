"""The household's trips: a weekend in London, two weeks in Brittany, and Boston in autumn."""

from collections.abc import Iterator
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from .days import SATURDAY, falls_on, weekday_from
from .habits import EVERY_DAY, Habit, Places, at, spending
from .scene import (
    CARD,
    CURRENT,
    DOLLARS,
    HOLIDAY_FUND,
    TO_THE_EURO,
    TO_THE_HALF,
    TO_THE_TEN,
    Foreign,
    Move,
    Scene,
    shift,
    spend,
)


class Booking(Struct, frozen=True):
    """Paid in advance by card, on that day of that month."""

    month: int
    day: int
    payee: str
    about: str
    cents: int


class Trip(Struct, frozen=True):
    """Starts on the first Saturday on or after that day of the month."""

    name: str
    month: int
    from_day: int
    days: int
    habits: tuple[Habit, ...]
    bookings: tuple[Booking, ...]

    def first_day(self, year: int) -> date:
        return weekday_from(date(year, self.month, self.from_day), SATURDAY)

    def covers(self, day: date) -> bool:
        first = self.first_day(day.year)
        return first <= day < first + timedelta(days=self.days)

    def tag(self, year: int) -> str:
        return f"{self.name} {year}"


def _abroad(topic: str, per_mille: int, places: Places, low: int, high: int, category: str = "Holiday food") -> Habit:
    return Habit(
        topic=topic,
        days=EVERY_DAY,
        per_mille=per_mille,
        places=places,
        low=low,
        high=high,
        category=category,
        budget="Holidays",
        account=CARD,
    )


def _in(currency: str, *habits: Habit, account: str = CARD) -> tuple[Habit, ...]:
    return tuple(replace(habit, currency=currency, account=account) for habit in habits)


_IN_LONDON = _in(
    "GBP",
    _abroad("pub", 900, at("The Tin Whistle", "Bermondsey Kitchen", buying=("Dinner in London",)), 4_800, 9_500),
    _abroad("tube", 900, at("London Underground", buying=("Underground",)), 900, 2_600, "Travel"),
    _abroad("sights", 600, (("Thames Boats", "Boat trip"), ("Museum Shop", "Museum")), 2_200, 6_400, "Sightseeing"),
)
_IN_BRITTANY = (
    _abroad("marché", 600, at("Marché de Roscoff", "Épicerie du Port", buying=("Groceries on holiday",)),
            3_500, 9_500),
    _abroad("dîner", 550, (("Crêperie Ty Coz", "Crêpes"), ("Le Phare", "Dinner by the harbour")), 3_400, 8_200),
    _abroad("glace", 500, at("Glaces Armor", buying=("Ice cream",)), 850, 1_900),
    _abroad("gazole", 180, at("Station du Léon", buying=("Diesel",)), 5_200, 8_400, "Travel"),
    _abroad("visite", 350, (("Aquarium du Port", "Aquarium"), ("Vélos Kerguélen", "Bicycles for a day")),
            2_800, 8_900, "Sightseeing"),
)  # fmt: skip
_IN_BOSTON = (
    *_in(
        "USD",
        _abroad("diner", 800, (("Beacon Hill Diner", "Burgers and shakes"), ("North End Pasta", "Dinner in Boston")),
                3_800, 9_200),
        _abroad("grocers", 500, at("Cambridge Grocers", buying=("Groceries for Sheila's kitchen",)), 3_200, 7_800),
        _abroad("subway", 700, at("Boston Subway", buying=("Subway",)), 960, 2_400, "Travel"),
        account=DOLLARS,
    ),
    *_in(
        "USD",
        _abroad("museum", 450, at("Harbor Aquarium", "Tea Ship Museum", "Old Salem Tours", buying=(
                "Tickets for four",)), 5_600, 12_400, "Sightseeing"),
        _abroad("outlet", 300, at("Merrimack Outlet", buying=("Shoes and jeans",)), 4_500, 14_000, "Clothing"),
    ),
)  # fmt: skip

BOSTON = Trip(name="Boston", month=10, from_day=22, days=9, habits=_IN_BOSTON, bookings=(
    Booking(month=5, day=27, payee="Transatlantic Airways", about="Flights to Boston", cents=184_000),
    Booking(month=10, day=12, payee="Transatlantic Airways", about="Seats and bags", cents=14_000),
))  # fmt: skip
TRIPS = (
    Trip(name="London", month=5, from_day=8, days=2, habits=_IN_LONDON, bookings=(
        Booking(month=3, day=22, payee="Channel Wings", about="Flights to London", cents=31_600),
        Booking(month=4, day=9, payee="Southwark Rooms", about="Hotel in London", cents=29_800),
    )),
    Trip(name="Brittany", month=7, from_day=12, days=14, habits=_IN_BRITTANY, bookings=(
        Booking(month=1, day=27, payee="Celtic Sea Ferries", about="Ferry to Roscoff and back", cents=71_800),
        Booking(month=2, day=18, payee="Camping de la Baie", about="Campsite, deposit", cents=20_000),
        Booking(month=7, day=9, payee="Camping de la Baie", about="Campsite, the rest", cents=58_000),
    )),
    BOSTON,
)  # fmt: skip

_DOLLARS_FOR_THE_TRIP = 120_000


def trip_of(day: date) -> Trip | None:
    return next((trip for trip in TRIPS if trip.covers(day)), None)


def away(scene: Scene) -> Iterator[Move]:
    trip = trip_of(scene.day)
    assert trip is not None
    tags = (trip.tag(scene.day.year),)
    for move in spending(scene, trip.habits):
        yield replace(move, tags=tags)
    if scene.day == trip.first_day(scene.day.year) and trip == BOSTON:
        price = scene.cost(24_500, TO_THE_HALF)
        hotel = spend(scene.day, CARD, "Logan Gate Hotel", "First night in Boston", price, "Hotels", "Holidays")
        yield replace(scene.exchange(hotel, "USD"), tags=tags, notes="Breakfast was not worth it; skip it next time.")


def bookings(scene: Scene) -> Iterator[Move]:
    for trip in TRIPS:
        for booking in trip.bookings:
            if scene.day.month == booking.month and falls_on(scene.day, booking.day):
                yield from _pay_booking(trip, booking, scene)


def _pay_booking(trip: Trip, booking: Booking, scene: Scene) -> Iterator[Move]:
    """The holiday fund covers as much of it as it can."""
    price = scene.cost(booking.cents * scene.between(booking.about, 92, 112) // 100, TO_THE_EURO)
    tags = (trip.tag(scene.day.year),)
    move = spend(scene.day, CARD, booking.payee, booking.about, price, "Travel", "Holidays")
    yield replace(move, tags=tags)
    saved = min(price, scene.purse.holds[HOLIDAY_FUND]) // 1000 * 1000
    if saved >= 10_000:
        yield replace(shift(scene.day, HOLIDAY_FUND, CURRENT, f"For {trip.name}", saved, "Savings"), tags=tags)


def dollars(scene: Scene) -> Iterator[Move]:
    """Bought some weeks before Boston, to top up what Tom has earned."""
    year = scene.day.year
    wanted = _DOLLARS_FOR_THE_TRIP - scene.purse.holds[DOLLARS]
    if scene.day.month == 9 and falls_on(scene.day, 19) and wanted > 10_000:
        cents = (wanted + 9_999) // 10_000 * 10_000
        euros = (cents * 10_000 + scene.rate("USD") // 2) // scene.rate("USD")
        move = shift(scene.day, CURRENT, DOLLARS, "Dollars for Boston", euros, "Travel")
        yield replace(move, foreign=Foreign(cents, "USD"), tags=(BOSTON.tag(year),))


def spending_money(scene: Scene) -> Iterator[Move]:
    """At the start of a trip, the rest of the fund becomes spending money."""
    trip = trip_of(scene.day)
    if trip and scene.day == trip.first_day(scene.day.year):
        saved = min(80_000, scene.purse.holds[HOLIDAY_FUND]) // TO_THE_TEN * TO_THE_TEN
        if saved >= 10_000:
            move = shift(scene.day, HOLIDAY_FUND, CURRENT, f"Spending money for {trip.name}", saved, "Savings")
            yield replace(move, tags=(trip.tag(scene.day.year),))
