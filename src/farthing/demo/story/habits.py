"""Tells of daily spending: habits by weekday, probability and season."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from . import tables
from .days import SATURDAY
from .household import CHILDREN
from .payments import EVERY_MONTH
from .scene import CARD, CURRENT, DOLLARS, TO_THE_CENT, TO_THE_EURO, TO_THE_TEN, Move, Scene, StorySplit, move

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
# No treats while less than this would be left after paying the card.
_COMFORT_CENTS = 20_000
_RETURN_DAYS = 9


class Habit(Struct, frozen=True):
    """Happens on each of the days with that probability, for an amount between low and high at today's prices.

    Places read "shop / another shop: purchase / another purchase; third shop: its purchase". Without an occasion,
    the habit belongs to an ordinary day at home; without a currency, that of the account applies.
    """

    topic: str
    per_mille: int
    low: int
    high: int
    places: str
    category: str
    occasion: str = ""
    type: Literal["withdrawal", "deposit"] = "withdrawal"
    days: tuple[str, ...] = _WEEKDAYS
    months: tuple[int, ...] = EVERY_MONTH
    rounded: int = TO_THE_CENT
    budget: str | None = None
    account: str = CURRENT
    currency: str | None = None
    is_treat: bool = False
    tags: tuple[str, ...] = ()
    notes: str | None = None

    def options(self) -> tuple[tuple[str | None, str], ...]:
        """Every combination of payee and purchase; no payee means cash."""
        groups = [group.split(": ") for group in self.places.split("; ")]
        return tuple(
            (None if payee == "cash" else payee, purchase)
            for payees, purchases in groups
            for payee in payees.split(" / ")
            for purchase in purchases.split(" / ")
        )


HABITS = tables.read("habits.csv", Habit)


def spending(scene: Scene, occasion: str = "") -> Iterator[Move]:
    for habit in HABITS:
        is_due = _WEEKDAYS[scene.day.weekday()] in habit.days and scene.day.month in habit.months
        is_chosen = habit.occasion == occasion and is_due and scene.happens(habit.topic, habit.per_mille)
        if is_chosen and _is_affordable(habit, scene):
            yield _buy(habit, scene)


def _is_affordable(habit: Habit, scene: Scene) -> bool:
    if habit.account == DOLLARS:
        return scene.balances.cents[DOLLARS] > 2 * habit.high
    return not habit.is_treat or scene.balances.free > _COMFORT_CENTS


def _buy(habit: Habit, scene: Scene) -> Move:
    cents = scene.cost(scene.between(habit.topic, habit.low, habit.high), habit.rounded)
    payee, about = scene.one_of(habit.topic, habit.options())
    source, destination = (payee, habit.account) if habit.type == "deposit" else (habit.account, payee)
    bought = move(habit.type, scene.day, source, destination, about, cents, habit.category, habit.budget)
    bought = replace(bought, tags=habit.tags, notes=habit.notes)
    return bought if habit.currency in (None, bought.currency) else scene.exchange(bought, str(habit.currency))


def weekly_shop(scene: Scene) -> Iterator[Move]:
    """Happens on Saturdays, costs more before Christmas, and often includes more than food."""
    if scene.day.weekday() != SATURDAY:
        return
    high = 20_500 if (scene.day.month, scene.day.day // 15) == (12, 1) else 15_800
    food = scene.cost(scene.between("weekly shop", 9_800, high))
    shop = move("withdrawal", scene.day, CURRENT, "Tidewell Supermarket", "Weekly shop", food, "Groceries", "Groceries")
    parts = list(shop.parts)
    if scene.happens("cleaning things", 300):
        extra = scene.cost(scene.between("cleaning things", 900, 3_200))
        parts.append(StorySplit(cents=extra, about="Cleaning and paper", category="Household", budget="Household"))
    if scene.happens("school things", 110):
        extra = scene.cost(scene.between("school things", 600, 2_400))
        parts.append(StorySplit(cents=extra, about="Things for school", category="School", budget="Children"))
    if len(parts) > 1:
        parts[0] = replace(parts[0], about="Food")
    yield replace(shop, parts=tuple(parts))


def clothes(scene: Scene) -> Iterator[Move]:
    """One in eight purchases is returned later, and the shop refunds the card."""
    for bought in spending(scene, "clothes"):
        yield bought
        returned_on = scene.day + timedelta(days=_RETURN_DAYS)
        if scene.happens("goes back", 125) and returned_on <= scene.today:
            about = f"Returned: {bought.about.lower()}"
            refund = move("deposit", returned_on, bought.destination, CARD, about, bought.cents, "Clothing")
            yield replace(refund, tags=("refund",), notes=f"Bought on {scene.day}; did not fit.")


def presents(scene: Scene) -> Iterator[Move]:
    if scene.day.month == 12 and scene.day.day <= 22:
        for bought in spending(scene, "Christmas"):
            yield replace(bought, tags=(f"Christmas {scene.day.year}",))


def birthdays(scene: Scene) -> Iterator[Move]:
    for child in CHILDREN:
        age = child.age(scene.day, scene.today)
        if (scene.day.month, scene.day.day) == child.birthday and age > 0:
            gift = scene.yearly_cost(5_000, TO_THE_TEN)
            about = f"Birthday money for {child.name}"
            yield move("deposit", scene.day, "Granny Nuala", CURRENT, about, gift, "Gifts received")
            price = scene.cost(scene.between("birthday", 9_500, 17_500), TO_THE_EURO)
            about = f"{child.name}'s birthday party"
            party = move("withdrawal", scene.day, CARD, "Adventure Farm", about, price, "Outings", "Children")
            yield replace(party, notes=f"{child.name} is {age}. Eight children, cake brought along.")
