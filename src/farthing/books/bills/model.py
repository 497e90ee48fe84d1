"""Defines bills, and determines their expected days and the payments for them."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import NamedTuple

from msgspec import UNSET, Struct, UnsetType

from farthing.kernel.errors import Problem
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, ShownDay
from farthing.kernel.shown import number as as_shown
from farthing.kernel.text import fold
from farthing.schedule.frequency import Frequency, Rhythm

SKIP_MAX = 31


class BillDraft(Struct, frozen=True, kw_only=True):
    """Describes a bill to store. Without `words`, no transactions are linked to it automatically.

    It is not expected after `end_on`, and has to be renewed or cancelled by `extension_on`. If `order` is None, an
    update keeps the stored order, and a new bill is last.
    """

    name: str
    words: tuple[str, ...]
    lowest_units: int
    highest_units: int
    currency: Currency
    first_on: date
    frequency: Frequency
    skip: int
    automatch: bool
    active: bool
    notes: str | None
    end_on: date | None = None
    extension_on: date | None = None
    object_group_id: int | None = None
    order: int | None = None


class Bill(BillDraft, frozen=True, dict=True, kw_only=True):
    id: int
    created_at: str
    updated_at: str
    object_group_title: str | None = None
    object_group_order: int | None = None

    @cached_property
    def rhythm(self) -> Rhythm:
        return Rhythm.of(self.first_on, self.frequency, self.skip, self.end_on)

    @property
    def matches_automatically(self) -> bool:
        return self.active and self.automatch and bool(self.words)

    @property
    def criteria(self) -> "BillCriteria":
        folded = ",".join(fold(word) for word in self.words)
        return BillCriteria(
            id=self.id,
            currency_id=self.currency.id,
            lowest_units=self.lowest_units,
            highest_units=self.highest_units,
            words_key=folded,
        )


class BillCriteria(Struct, frozen=True):
    """Holds the fields of a bill that matching needs. `words_key` lists the folded words, separated by commas."""

    id: int
    currency_id: int
    lowest_units: int
    highest_units: int
    words_key: str

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.words_key.split(","))


class Payment(NamedTuple):
    """Describes what a linked transaction paid in one currency. `on` is the day in ISO form.

    Splits with an amount in the bill's currency are summed in that currency, and all other splits in their own.
    `split_id` is the first of the splits that were summed.
    """

    bill_id: int
    on: str
    units: int = 0
    currency_id: int = 0
    code: str = ""
    places: int = 0
    entry_id: int = 0
    split_id: int = 0


_PAID_ON = itemgetter(1)


class PaymentState(StrEnum):
    PAID = "paid"
    DUE = "due"
    OVERDUE = "overdue"
    UPCOMING = "upcoming"
    PROBABLE = "probable"


# The fields have the API's format already: a list of bills has hundreds of payments, and converting them would double
# the cost.
class PaymentShown(Struct, frozen=True, gc=False):
    date: ShownDay
    amount: Number
    currency_code: str
    currency_dp: int


class ProbableShown(Struct, frozen=True, gc=False):
    """Shows a withdrawal that probably pays a bill, in the bill's currency.

    `beyond` is how much the amount is above the largest expected amount; it is negative for an amount below the
    smallest one.
    """

    transaction_id: str
    date: ShownDay
    amount: Number
    beyond: Number


class PeriodShown(Struct, frozen=True, gc=False):
    """Shows an expected day, its state, and the payments for it.

    `probable` is present if the state is `probable`: a withdrawal on that day has the words of the bill, but its amount
    is just outside the range.
    """

    expected_date: ShownDay
    state: str
    payments: list[PaymentShown]
    probable: ProbableShown | UnsetType = UNSET


class Outlook(Struct, frozen=True):
    """Holds the expected days of a range with their payments, the payments in the range and their days, and the next
    unpaid day.
    """

    periods: Sequence[PeriodShown]
    paid_on: list[str]
    next_on: str | None
    payments: Sequence[Payment] = ()


def words_key(words: tuple[str, ...], name: str) -> str:
    """Identifies the set of words, ignoring order and case. No two bills of a user may have the same.

    For a bill without words, returns its name after a blank, with which no word begins.
    """
    return ",".join(sorted({fold(word) for word in words})) or f" {fold(name)}"


def longest_word(words: tuple[str, ...]) -> str:
    """Returns the longest word. It serves as a quick filter, because a text without this word cannot match."""
    return max((fold(word) for word in words), key=len, default="")


def distinct_words(words: list[str]) -> tuple[str, ...]:
    """Drops words that repeat an earlier one, ignoring case."""
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(fold(word), word)
    return tuple(first.values())


def range_problems(lowest: int | None, highest: int | None) -> list[Problem]:
    """Checks a range that must contain more than one amount."""
    if lowest is None or highest is None or lowest < highest:
        return []
    return [
        Problem("amount_min", "The minimum amount must be smaller than the maximum amount."),
        Problem("amount_max", "The maximum amount must be larger than the minimum amount."),
    ]


def payment_range(bills: Sequence[Bill], start: date, end: date) -> tuple[date, date]:
    """Returns the first and last day of the payments to read: the range, extended by the longest period on both sides.

    A payment belongs to the nearest expected day, which may be outside the range.
    """
    longest = max(bill.rhythm.longest for bill in bills).days
    return _shift(start, -longest), _shift(end, longest)


def _shift(day: date, days: int) -> date:
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def periods(bill: Bill, payments: Sequence[Payment], start: date, end: date, today: date) -> Sequence[PeriodShown]:
    """Lists the expected days of a range. Each payment belongs to the nearest expected day only.

    `payments` are sorted, oldest first, and also cover one period before the range and one after it.
    """
    if len(payments) > _FEW or (end - start).days > _SHORT:
        return _periods(bill.rhythm, payments, start, end, today)
    return _same_periods(bill.rhythm, tuple(payments), start, end, today)


def _periods(rhythm: Rhythm, payments: Sequence[Payment], start: date, end: date, today: date) -> Sequence[PeriodShown]:
    number, before = rhythm.from_day(start)
    last, now = end.isoformat(), today.isoformat()
    index, many = bisect_right(payments, before, key=_PAID_ON), len(payments)
    shown_periods = []
    for day, until in rhythm.spans_from(number):
        if day > last:
            break
        paid = []
        while index < many and payments[index][1] <= until:
            payment = payments[index]
            paid.append(PaymentShown(payment.on, as_shown(payment.units, payment.places), payment.code, payment.places))
            index += 1
        shown_periods.append(PeriodShown(day, PaymentState.PAID if paid else unpaid_state(day, now), paid))
    return shown_periods


def next_unpaid(rhythm: Rhythm, paid_on: str, start: date) -> str | None:
    """Finds the first expected day without a payment, on or after `start`.

    `paid_on` lists the days with payments since one period before `start`, separated by commas and in any order.
    """
    return (_same_next if paid_on.count(",") < _FEW else _next_unpaid)(rhythm, paid_on, start)


# A text that sorts after every day in ISO form.
_NEVER = "~"


def _next_unpaid(rhythm: Rhythm, paid_on: str, start: date) -> str | None:
    number, before = rhythm.from_day(start)
    later = iter(sorted(day for day in paid_on.split(",") if day > before))
    paid = next(later, _NEVER)
    for day, until in rhythm.spans_from(number):
        if paid > until:
            return day
        while paid <= until:
            paid = next(later, _NEVER)
    return None


# Bills are shown often and paid rarely, so results for few payments and short ranges are cached.
_FEW, _SHORT = 100, 400
_same_periods = lru_cache(maxsize=250)(_periods)
_same_next = lru_cache(maxsize=500)(_next_unpaid)


def unpaid_state(day: str, today: str) -> PaymentState:
    """Returns the state of a planned day for which nothing was paid or recorded. Both days are in ISO form."""
    if day == today:
        return PaymentState.DUE
    return PaymentState.OVERDUE if day < today else PaymentState.UPCOMING
