"""Reads bills."""

from typing import Annotated

from farthing.books.bills.model import SKIP_MAX
from farthing.kernel.fields import Flag, Id, Name, Notes, RequestBody, choice, described, text, whole
from farthing.kernel.limits import ORDER_MAX
from farthing.schedule.frequency import Frequency

from ..parts.amounts import PositiveAmount
from ..parts.moments import Moment


class BillBody(RequestBody):
    """Bills are not matched by words: rules link transactions to a bill, or transactions name it."""

    name: Name | None = None
    amount_min: PositiveAmount | None = None
    amount_max: PositiveAmount | None = None
    currency_id: Id | None = described("If both this and `currency_code` are omitted, your primary currency is used.")
    currency_code: Annotated[str, text(3)] | None = None
    date: Moment | None = described("The first day on which the bill is expected.")
    end_date: Moment | None = described("The last day on which the bill is expected.")
    extension_date: Moment | None = described("The day by which the bill has to be renewed or cancelled.")
    repeat_freq: Annotated[Frequency, choice(*Frequency)] | None = None
    skip: Annotated[int, whole(minimum=0, maximum=SKIP_MAX)] | None = None
    active: Flag | None = described("If omitted, a new bill is active.")
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = described(
        "The position in the list, starting at 1. Bills from this position on move down."
    )
    notes: Notes | None = None
    object_group_id: Id | None = described("The group of the bill.")
    object_group_title: Name | None = described(
        "The title of the group, if `object_group_id` is omitted. A group that does not exist is created."
    )
