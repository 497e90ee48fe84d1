"""Defines the household's income and spending: payments on fixed days, habits, and transfers to and from savings."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from . import tables
from .household import CHILDREN, DEBTS, Debt, ages, car_bought_on
from .scene import (
    CAR_LOAN,
    CARD,
    CURRENT,
    DOLLARS,
    MORTGAGE,
    SATURDAY,
    SAVINGS,
    TO_THE_CENT,
    TO_THE_EURO,
    TO_THE_TEN,
    Move,
    Scene,
    StorySplit,
    falls_on,
    months_between,
)

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
# The cost of heating and lighting in each month, in per cent of January's.
_COLD = (100, 95, 80, 50, 25, 5, 0, 0, 15, 45, 75, 95)
# Other things that the weekly shop may include: topic, probability per mille, lowest and highest price in cents,
# category, budget, description.
_EXTRAS = (
    ("cleaning things", 300, 900, 3_200, "Household", "Household", "Cleaning and paper"),
    ("school things", 110, 600, 2_400, "School", "Children", "Things for school"),
)
_RETURN_DAYS = 9
# The household buys no treats if less than this would be left after paying the card.
_COMFORT_CENTS = 20_000
# The amount that stays in the current account when the surplus is moved to savings.
_CURRENT_REST_CENTS = 150_000
_LOW_CENTS, _REFILLED_CENTS = 20_000, 60_000
# Savings above this amount are paid into the pension.
_ENOUGH_CENTS = 1_000_000
_SAVINGS_INTEREST_PER_MILLE = 18


class Event(Struct, frozen=True, kw_only=True):
    """A kind of payment that recurs. `{day}` in its texts stands for the day on which it happens."""

    category: str
    type: Literal["withdrawal", "deposit", "transfer"] = "withdrawal"
    months: tuple[int, ...] = tuple(range(1, 13))
    rounded: int = TO_THE_CENT
    budget: str | None = None
    account: str = CURRENT
    tags: tuple[str, ...] = ()
    notes: str | None = None


class FixedPayment(Event, frozen=True, kw_only=True):
    """A payment that is due on `day` in each of `months`. `cents` is its price at the end of the story.

    `winter_cents` is the surcharge in the coldest month. The amount varies by up to `spread` per cent. If the amount
    depends on balances, `amount` names the function that computes it. With `lasts_years`, the payment is made only once
    in that many years, counted back from the last year of the story.
    """

    payee: str
    about: str
    day: int
    rule: str = "after"
    cents: int = 0
    amount: str | None = None
    winter_cents: int = 0
    spread: int = 0
    raised_in: int = 1
    is_expected: bool = False
    is_invoiced: bool = False
    per_child: bool = False
    from_age: int = 0
    lasts_years: int = 1
    years_ago: int = 0

    @property
    def title(self) -> str:
        """Returns the text without the month and anything after a comma, such as "Electricity"."""
        return self.about.split(" {")[0].split(",")[0]


class Habit(Event, frozen=True, kw_only=True):
    """A purchase that happens on each of its `weekdays` with a probability of `per_mille`.

    It costs between `low` and `high`, at the prices of the story's last day. `places` are written as "shop / another
    shop: purchase / another purchase; third shop: its purchase". If `occasion` is empty, the habit belongs to an
    ordinary day at home. If `currency` is None, the account's currency is used.
    """

    topic: str
    per_mille: int
    low: int
    high: int
    places: str
    occasion: str = ""
    weekdays: tuple[str, ...] = _WEEKDAYS
    currency: str | None = None
    is_treat: bool = False

    def options(self) -> tuple[tuple[str | None, str], ...]:
        """Lists all combinations of payee and purchase. If the payee is None, the purchase is paid in cash."""
        groups = [group.split(": ") for group in self.places.split("; ")]
        return tuple(
            (None if payee == "cash" else payee, purchase)
            for payees, purchases in groups
            for payee in payees.split(" / ")
            for purchase in purchases.split(" / ")
        )


PAYMENTS = tables.read("payments", FixedPayment)
HABITS = tables.read("habits", Habit)


def _happen(event: Event, scene: Scene, payee: str | None, about: str, cents: int, reference: str | None) -> Move:
    sides = (payee, event.account) if event.type == "deposit" else (event.account, payee)
    about, *tags = (text.format(day=scene.day) for text in (about, *event.tags))
    more = {"tags": tuple(tags), "notes": event.notes, "reference": reference}
    return scene.move(event.type, sides, about, cents, event.category, event.budget, **more)


def payments(scene: Scene) -> Iterator[Move]:
    for payment in PAYMENTS:
        cents = _price(payment, scene) if _is_due(payment, scene) else 0
        if cents <= 0:
            continue
        number = scene.draw(payment.payee, 90_000) + 10_000
        reference = f"{payment.payee[:3].upper()}-{scene.day.year}-{number}" if payment.is_invoiced else None
        paid = _happen(payment, scene, payment.payee, payment.about, cents, reference)
        yield paid
        if payment.budget == "Holidays":
            yield from scene.spend_holiday_fund(cents, f"For {paid.tags[0]}", paid.tags)


def _is_due(payment: FixedPayment, scene: Scene) -> bool:
    if scene.day.month not in payment.months or not falls_on(scene.day, payment.day, payment.rule):
        return False
    years = scene.today.year - scene.day.year
    needs_child = payment.per_child or payment.from_age
    is_old_enough = not needs_child or max(ages(scene.day, scene.today), default=-1) >= payment.from_age
    return years % payment.lasts_years == payment.years_ago and is_old_enough


def _price(payment: FixedPayment, scene: Scene) -> int:
    if payment.amount:
        return AMOUNTS[payment.amount](scene)
    cents = payment.cents + payment.winter_cents * _COLD[scene.day.month - 1] // 100
    cents = cents * scene.between(payment.payee, 100 - payment.spread, 100 + payment.spread) // 100
    price = scene.yearly_cost(cents, payment.rounded, payment.raised_in)
    return price * len(ages(scene.day, scene.today)) if payment.per_child else price


def _owed(debt: Debt, scene: Scene) -> int:
    return max(0, -scene.cents[debt.account]) if months_between(debt.begins_on(scene.today), scene.day) > 0 else 0


def _car_deposit(scene: Scene) -> int:
    """Returns the part of the car's price that the loan does not cover, on the day when the car is bought."""
    is_bought = scene.day == car_bought_on(scene.today) > scene.begins_on
    return min(450_000, scene.cents[SAVINGS] // 100_000 * 100_000) if is_bought else 0


_MORTGAGE, _CAR_LOAN = DEBTS[MORTGAGE], DEBTS[CAR_LOAN]
# Functions that compute the amounts of payments that depend on balances. A payment with an amount of zero is not made.
# An instalment is higher than the interest that the lender charges just before it.
AMOUNTS: dict[str, Callable[[Scene], int]] = {
    "savings interest": lambda scene: scene.cents[SAVINGS] * _SAVINGS_INTEREST_PER_MILLE // 2000,
    "mortgage interest": lambda scene: _MORTGAGE.interest(_owed(_MORTGAGE, scene)),
    "mortgage": lambda scene: min(_MORTGAGE.instalment_cents, _owed(_MORTGAGE, scene)),
    "car loan interest": lambda scene: _CAR_LOAN.interest(_owed(_CAR_LOAN, scene)),
    "car loan": lambda scene: min(_CAR_LOAN.instalment_cents, _owed(_CAR_LOAN, scene)),
    "car deposit": _car_deposit,
    "card statement": lambda scene: scene.card_statement,
    "pension": lambda scene: (scene.cents[SAVINGS] - _ENOUGH_CENTS) // 50_000 * 50_000,
}


def balance(scene: Scene) -> Iterator[Move]:
    """Moves the surplus to savings once a month, a few days after the bills at the start of the month.

    At the end of each day, tops up a low current account from savings, so that it is not overdrawn.
    """
    spare = (scene.free - _CURRENT_REST_CENTS) // 5_000 * 5_000
    if falls_on(scene.day, 7) and spare > 0:
        yield scene.move("transfer", (CURRENT, SAVINGS), "Put aside what was left over", spare, "Savings")
    short = _REFILLED_CENTS - scene.cents[CURRENT]
    cents = min(-(-short // 5_000) * 5_000, scene.cents[SAVINGS])
    if scene.cents[CURRENT] < _LOW_CENTS and cents > 0:
        yield scene.move("transfer", (SAVINGS, CURRENT), "From the savings, until payday", cents, "Savings")


def habits(scene: Scene, occasion: str = "") -> Iterator[Move]:
    for habit in HABITS:
        is_due = _WEEKDAYS[scene.day.weekday()] in habit.weekdays and scene.day.month in habit.months
        is_chosen = habit.occasion == occasion and is_due and scene.happens(habit.topic, habit.per_mille)
        is_affordable = not habit.is_treat or scene.free > _COMFORT_CENTS
        if habit.account == DOLLARS:
            is_affordable = scene.cents[DOLLARS] > 2 * habit.high
        if is_chosen and is_affordable:
            cents = scene.cost(scene.between(habit.topic, habit.low, habit.high), habit.rounded)
            payee, about = scene.choose(habit.topic, habit.options())
            bought = _happen(habit, scene, payee, about, cents, None)
            is_abroad = habit.currency not in (None, bought.currency)
            yield scene.exchange(bought, str(habit.currency)) if is_abroad else bought


def weekly_shop(scene: Scene) -> Iterator[Move]:
    """Shops on Saturdays. The shopping costs more before Christmas, and often includes things other than food."""
    if scene.day.weekday() != SATURDAY:
        return
    high = 20_500 if (scene.day.month, scene.day.day // 15) == (12, 1) else 15_800
    food = scene.cost(scene.between("weekly shop", 9_800, high))
    extras = [
        StorySplit(scene.cost(scene.between(topic, low, high)), category, budget, about)
        for topic, per_mille, low, high, category, budget, about in _EXTRAS
        if scene.happens(topic, per_mille)
    ]
    parts = (StorySplit(food, "Groceries", "Groceries", "Food" if extras else None), *extras)
    shop = scene.move("withdrawal", (CURRENT, "Tidewell Supermarket"), "Weekly shop", food, "Groceries")
    yield replace(shop, parts=parts)


def clothes(scene: Scene) -> Iterator[Move]:
    """Buys clothes. One in eight purchases is returned later, and the shop refunds it to the card."""
    for bought in habits(scene, "clothes"):
        yield bought
        returned_on = scene.day + timedelta(days=_RETURN_DAYS)
        if scene.happens("goes back", 125) and returned_on <= scene.today:
            about, notes = f"Returned: {bought.about.lower()}", f"Bought on {scene.day}; did not fit."
            refund = scene.move("deposit", (bought.destination, CARD), about, bought.cents, "Clothing", notes=notes)
            yield replace(refund, on=returned_on, tags=("refund",))


def birthdays(scene: Scene) -> Iterator[Move]:
    for child in CHILDREN:
        age = child.age(scene.day, scene.today)
        if (scene.day.month, scene.day.day) == child.birthday and age > 0:
            gift, sides = scene.yearly_cost(5_000, TO_THE_TEN), ("Granny Nuala", CURRENT)
            yield scene.move("deposit", sides, f"Birthday money for {child.name}", gift, "Gifts received")
            price = scene.cost(scene.between("birthday", 9_500, 17_500), TO_THE_EURO)
            sides, about = (CARD, "Adventure Farm"), f"{child.name}'s birthday party"
            notes = f"{child.name} is {age}. Eight children, cake brought along."
            yield scene.move("withdrawal", sides, about, price, "Outings", "Children", notes=notes)
