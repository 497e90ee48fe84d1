"""Reads and shows bills."""

from collections.abc import Sequence
from typing import Annotated

from farthing.books.bills.model import SKIP_MAX, Bill, BillDraft, Outlook, PeriodShown, distinct_words, range_problems
from farthing.books.currencies.choose import read_units
from farthing.kernel.errors import Problem
from farthing.kernel.fields import (
    Day,
    Flag,
    Id,
    Name,
    Notes,
    PositiveAmount,
    RequestBody,
    choice,
    described,
    text,
    whole,
    words,
)
from farthing.kernel.limits import ORDER_MAX
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed, ensure, order_problems
from farthing.kernel.shown import Dated, Number, ShownDay, number, show_as
from farthing.schedule.frequency import Frequency

from ..serializers.currencies import currency_fields

REQUIRED = ("name", "match", "amount_min", "amount_max", "date", "repeat_freq", "skip", "automatch", "active")


class BillBody(RequestBody):
    name: Name | None = None
    match: Annotated[list[str], words(255)] | None = None
    amount_min: PositiveAmount | None = None
    amount_max: PositiveAmount | None = None
    date: Day | None = None
    repeat_freq: Annotated[Frequency, choice(*Frequency)] | None = None
    skip: Annotated[int, whole(minimum=0, maximum=SKIP_MAX)] | None = None
    automatch: Flag | None = None
    active: Flag | None = None
    currency_id: Id | None = None
    currency_code: Annotated[str, text(3)] | None = None
    notes: Notes | None = None
    end_date: Day | None = described("The last day on which the bill is expected.")
    extension_date: Day | None = described("The day by which the bill has to be renewed or cancelled.")
    object_group_id: Id | None = described("The group of the bill.")
    object_group_title: Name | None = described(
        "The title of the group, if `object_group_id` is omitted. A group that does not exist is created."
    )
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = described(
        "The position, starting at 1. Bills from this position on move down."
    )


# A change that omits these fields keeps them, because old clients do not send them.
_LATER = {"end_date": "end_on", "extension_date": "extension_on"}


def draft(parsed: Parsed[BillBody], currency: Currency | None, group_id: int | None, bill: Bill | None) -> BillDraft:
    """Builds the draft, with amounts converted into the smallest units of the currency."""
    values = parsed.values
    lowest = read_units(parsed, "amount_min", currency)
    highest = read_units(parsed, "amount_max", currency)
    if bill is None or lowest != highest or bill.lowest_units != bill.highest_units:
        parsed.report_all(range_problems(lowest, highest) if currency else _raw_range_problems(values))
    later = {
        column: getattr(bill, column) if bill and name not in parsed.raw else getattr(values, name)
        for name, column in _LATER.items()
    }
    parsed.report_all(order_problems(values.date, later["end_on"], "date", "end_date"))
    parsed.finish()
    return BillDraft(
        name=ensure(values.name),
        words=distinct_words(values.match or []),
        lowest_units=ensure(lowest),
        highest_units=ensure(highest),
        currency=ensure(currency),
        first_on=ensure(values.date),
        frequency=ensure(values.repeat_freq),
        skip=ensure(values.skip),
        automatch=bool(values.automatch and values.match),
        active=bool(values.active),
        notes=values.notes,
        **later,
        object_group_id=group_id,
        order=values.order,
    )


def _raw_range_problems(values: BillBody) -> list[Problem]:
    """Checks the range of amounts even if an invalid currency prevents their conversion."""
    if values.amount_min is None or values.amount_max is None or values.amount_min < values.amount_max:
        return []
    return range_problems(1, 1)


class BillAttributes(Dated, gc=False):
    name: str
    match: list[str]
    amount_min: Number
    amount_max: Number
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    date: ShownDay
    repeat_freq: str
    skip: int
    automatch: bool
    active: bool
    attachments_count: int
    pay_dates: list[ShownDay]
    paid_dates: list[ShownDay]
    periods: Sequence[PeriodShown]
    next_expected_match: ShownDay | None
    matching: bool
    notes: str | None
    end_date: ShownDay | None
    extension_date: ShownDay | None
    object_group_id: int | None
    object_group_title: str | None
    object_group_order: int | None
    order: int


def show(bill: Bill, outlook: Outlook, *, attachments: int, matching: bool) -> BillAttributes:
    """`matching` is true while a job is still searching for transactions that pay the bill."""
    places = bill.currency.places
    return show_as(
        BillAttributes,
        bill,
        match=list(bill.words),
        amount_min=number(bill.lowest_units, places),
        amount_max=number(bill.highest_units, places),
        **currency_fields(bill.currency),
        date=bill.first_on.isoformat(),
        repeat_freq=bill.frequency,
        attachments_count=attachments,
        pay_dates=[period.expected_date for period in outlook.periods],
        paid_dates=outlook.paid_on,
        periods=outlook.periods,
        next_expected_match=outlook.next_on,
        matching=matching,
        end_date=bill.end_on and bill.end_on.isoformat(),
        extension_date=bill.extension_on and bill.extension_on.isoformat(),
    )
