"""Where do they go? A weekend in London, two weeks in Brittany, and in autumn to Tom's sister in Boston."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from .days import SATURDAY, falls_on, weekday_from
from .habits import EVERY_DAY, Habit, spending
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
)  # fmt: skip


@dataclass(frozen=True)
class Booking:
    """Paid ahead by card, on that day of that month."""

    month: int
    day: int
    payee: str
    about: str
    cents: int


@dataclass(frozen=True)
class Trip:
    """Begins on the first Saturday from that day of the month on."""

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


def _abroad(
    topic: str, per_mille: int, payees: tuple[str, ...], abouts: tuple[str, ...], low: int, high: int, **more: str
) -> Habit:
    category = more.get("category", "Holiday food")
    account, currency = more.get("account", CARD), more.get("currency")
    return Habit(
        topic, EVERY_DAY, per_mille, payees, abouts, low, high, category, "Holidays", account, currency=currency
    )


_IN_LONDON = (
    _abroad("pub", 900, ("The Anchor and Hope", "Brick Lane Kitchen"), ("Dinner in London",), 4_800, 9_500,
            currency="GBP"),
    _abroad("tube", 900, ("London Underground",), ("Underground",), 900, 2_600, currency="GBP", category="Travel"),
    _abroad("sights", 600, ("Thames Boats", "Museum Shop"), ("Boat trip", "Museum"), 2_200, 6_400, currency="GBP",
            category="Sightseeing"),
)  # fmt: skip
_IN_BRITTANY = (
    _abroad("super", 600, ("Marché de Roscoff", "Épicerie du Port"), ("Groceries on holiday",), 3_500, 9_500),
    _abroad("creperie", 550, ("Crêperie Ty Coz", "Le Phare"), ("Crêpes", "Dinner by the harbour"), 3_400, 8_200),
    _abroad("glace", 500, ("Glaces Armor",), ("Ice cream",), 850, 1_900),
    _abroad("gazole", 180, ("Station du Léon",), ("Diesel",), 5_200, 8_400, category="Travel"),
    _abroad("visite", 350, ("Aquarium de Brest", "Vélos Kerguélen"), ("Aquarium", "Bicycles for a day"), 2_800, 8_900,
            category="Sightseeing"),
)  # fmt: skip
_IN_BOSTON = (
    _abroad("diner", 800, ("Beacon Hill Diner", "North End Pasta"), ("Dinner in Boston", "Pancakes"), 3_800, 9_200,
            account=DOLLARS, currency="USD"),
    _abroad("groceries", 500, ("Cambridge Grocers",), ("Groceries for Sheila's kitchen",), 3_200, 7_800,
            account=DOLLARS, currency="USD"),
    _abroad("subway", 700, ("Charlie Subway",), ("Subway",), 960, 2_400, account=DOLLARS, currency="USD",
            category="Travel"),
    _abroad("museum", 450, ("Harbor Aquarium", "Tea Ship Museum", "Salem Witch Tours"), ("Tickets for four",),
            5_600, 12_400, currency="USD", category="Sightseeing"),
    _abroad("outlet", 300, ("Wrentham Outlet",), ("Shoes and jeans",), 4_500, 14_000, currency="USD",
            category="Clothing"),
)  # fmt: skip

BOSTON = Trip("Boston", 10, 22, 9, _IN_BOSTON, (
    Booking(5, 27, "Transatlantic Airways", "Flights to Boston", 184_000),
    Booking(10, 12, "Transatlantic Airways", "Seats and bags", 14_000),
))  # fmt: skip
TRIPS = (
    Trip("London", 5, 8, 2, _IN_LONDON, (
        Booking(3, 22, "Channel Wings", "Flights to London", 31_600),
        Booking(4, 9, "Southwark Rooms", "Hotel in London", 29_800),
    )),
    Trip("Brittany", 7, 12, 14, _IN_BRITTANY, (
        Booking(1, 27, "Celtic Sea Ferries", "Ferry to Roscoff and back", 71_800),
        Booking(2, 18, "Camping de la Baie", "Campsite, deposit", 20_000),
        Booking(7, 9, "Camping de la Baie", "Campsite, the rest", 58_000),
    )),
    BOSTON,
)  # fmt: skip

_DOLLARS_TO_BUY = 110_000


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
        yield replace(scene.exchanged(hotel, "USD"), tags=tags, notes="Breakfast was not worth it; skip it next time.")


def bookings(scene: Scene) -> Iterator[Move]:
    for trip in TRIPS:
        for booking in trip.bookings:
            if scene.day.month == booking.month and falls_on(scene.day, booking.day):
                yield from _booked(trip, booking, scene)


def _booked(trip: Trip, booking: Booking, scene: Scene) -> Iterator[Move]:
    """What the holiday fund can bear of it, it does."""
    price = scene.cost(booking.cents * scene.between(booking.about, 92, 112) // 100, TO_THE_EURO)
    tags = (trip.tag(scene.day.year),)
    move = spend(scene.day, CARD, booking.payee, booking.about, price, "Travel", "Holidays")
    yield replace(move, tags=tags)
    saved = min(price, scene.purse.holds[HOLIDAY_FUND]) // 1000 * 1000
    if saved >= 10_000:
        yield replace(shift(scene.day, HOLIDAY_FUND, CURRENT, f"For {trip.name}", saved, "Savings"), tags=tags)


def dollars(scene: Scene) -> Iterator[Move]:
    """Bought some weeks before Boston, to fill up what Tom has earned."""
    year = scene.day.year
    wanted = _DOLLARS_TO_BUY - scene.purse.holds[DOLLARS]
    if scene.day.month == 9 and falls_on(scene.day, 19) and wanted > 10_000:
        cents = (wanted + 9_999) // 10_000 * 10_000
        euros = (cents * 10_000 + scene.rate("USD") // 2) // scene.rate("USD")
        move = shift(scene.day, CURRENT, DOLLARS, "Dollars for Boston", euros, "Travel")
        yield replace(move, foreign=Foreign(cents, "USD"), tags=(BOSTON.tag(year),))


def spending_money(scene: Scene) -> Iterator[Move]:
    """At the start of a trip the rest of the fund is there to be spent."""
    trip = trip_of(scene.day)
    if trip and scene.day == trip.first_day(scene.day.year):
        saved = min(80_000, scene.purse.holds[HOLIDAY_FUND]) // TO_THE_TEN * TO_THE_TEN
        if saved >= 10_000:
            move = shift(scene.day, HOLIDAY_FUND, CURRENT, f"Spending money for {trip.name}", saved, "Savings")
            yield replace(move, tags=(trip.tag(scene.day.year),))
