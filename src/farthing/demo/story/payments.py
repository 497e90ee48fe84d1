"""Tells of payments on fixed days: bills, standing orders, bookings, and the household's income."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from . import tables
from .days import falls_on
from .household import ages
from .scene import CURRENT, HOLIDAY_FUND, TO_THE_CENT, TO_THE_TEN, Move, Scene, move

EVERY_MONTH = tuple(range(1, 13))
# Heating and lighting per month, in per cent of January's.
_COLD = (100, 95, 80, 50, 25, 5, 0, 0, 15, 45, 75, 95)


class FixedPayment(Struct, frozen=True):
    """Due on that day of those months, at today's price; `winter_cents` is the surcharge of the coldest month.

    The amount varies by `spread` per cent. With `lasts_years` it is bought once in so many years, counted back from
    the year in which the story ends.
    """

    payee: str
    about: str
    day: int
    cents: int
    category: str
    type: Literal["withdrawal", "deposit", "transfer"] = "withdrawal"
    rule: str = "after"
    months: tuple[int, ...] = EVERY_MONTH
    winter_cents: int = 0
    spread: int = 0
    rounded: int = TO_THE_CENT
    raised_in: int = 1
    budget: str | None = None
    account: str = CURRENT
    is_expected: bool = False
    is_invoiced: bool = False
    per_child: bool = False
    from_age: int = 0
    lasts_years: int = 1
    years_ago: int = 0
    tags: tuple[str, ...] = ()
    notes: str | None = None

    @property
    def title(self) -> str:
        """Drops the month and what follows a comma: "Electricity"."""
        return self.about.split(" {")[0].split(",")[0]


PAYMENTS = tables.read("payments.csv", FixedPayment)


def payments(scene: Scene) -> Iterator[Move]:
    for payment in PAYMENTS:
        if not _is_due(payment, scene):
            continue
        paid = _pay(payment, scene)
        yield paid
        if payment.budget == "Holidays":
            yield from _take_from_holiday_fund(paid, scene)


def _is_due(payment: FixedPayment, scene: Scene) -> bool:
    if scene.day.month not in payment.months or not falls_on(scene.day, payment.day, payment.rule):
        return False
    years = scene.today.year - scene.day.year
    needs_child = payment.per_child or payment.from_age
    is_old_enough = not needs_child or max(ages(scene.day, scene.today), default=-1) >= payment.from_age
    return years % payment.lasts_years == payment.years_ago and is_old_enough


def _pay(payment: FixedPayment, scene: Scene) -> Move:
    day, about = scene.day, payment.about.format(day=scene.day)
    sides = (payment.account, payment.payee)
    source, destination = reversed(sides) if payment.type == "deposit" else sides
    paid = move(payment.type, day, source, destination, about, _price(payment, scene), payment.category, payment.budget)
    paid = replace(paid, tags=tuple(tag.format(day=day) for tag in payment.tags), notes=payment.notes)
    if not payment.is_invoiced:
        return paid
    number = scene.chance.draw(day, payment.payee, 90_000) + 10_000
    reference = f"{payment.payee[:3].upper()}-{day.year}-{number}"
    return replace(paid, reference=reference, invoiced_on=day - timedelta(days=14), due_on=day)


def _price(payment: FixedPayment, scene: Scene) -> int:
    cents = payment.cents + payment.winter_cents * _COLD[scene.day.month - 1] // 100
    cents = cents * scene.between(payment.payee, 100 - payment.spread, 100 + payment.spread) // 100
    price = scene.yearly_cost(cents, payment.rounded, payment.raised_in)
    return price * len(ages(scene.day, scene.today)) if payment.per_child else price


def _take_from_holiday_fund(booking: Move, scene: Scene) -> Iterator[Move]:
    """The holiday fund covers as much of a booking as it can."""
    saved = min(booking.cents, scene.balances.cents[HOLIDAY_FUND]) // TO_THE_TEN * TO_THE_TEN
    if saved >= 10_000:
        taken = move("transfer", booking.on, HOLIDAY_FUND, CURRENT, f"For {booking.tags[0]}", saved, "Savings")
        yield replace(taken, tags=booking.tags)
