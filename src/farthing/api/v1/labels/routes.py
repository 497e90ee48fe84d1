"""Makes the routes that categories, tags and payees share: merges, months, and the filter for unused ones."""

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, TypeVar

from msgspec import Struct

from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, RANGED, Parameter, Route
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import Id, RequestBody, parse_complete
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Number, number
from farthing.ledger.entry import Label
from farthing.overviews.label_months import store as label_months
from farthing.overviews.label_months.store import MonthSum
from farthing.schedule.months import day_in_month, month_number
from farthing.storage.unit import Unit

from ..resources.lists import Numbered
from ..resources.resource import Resource
from ..serializers.currencies import InCurrency, currency_fields

N = TypeVar("N", bound=Numbered)
_MONTHS_USUAL = 12
UNUSED = Parameter("unused", {"type": "string", "enum": ["1"]}, "`1` lists only objects that no transaction uses.")


def read_unused(call: Call) -> dict[str, str]:
    """Returns the parameter `unused`, to be repeated in the links of the pages.

    Any value other than `1` is ignored.
    """
    return {"unused": "1"} if call.query.get("unused") == "1" else {}


class MergeBody(RequestBody):
    """`into_id` is the id of the object that is kept. It takes over everything from the other object."""

    into_id: Id | None = None


def merge_route(
    resource: Resource[N, Any], noun: str, merge: Callable[[Unit, int, N, N, str], None], summary: str = "", **more: Any
) -> Route:
    def merge_into(call: Call) -> Answer:
        merged = resource.find(call)
        into = _find_target(call, resource, merged, noun)
        merge(call.db, call.user_id, merged, into, call.now)
        return resource.answer_with(call, into.id)

    merge_into.__name__ = "merge"
    summary = summary or f"Merge a {noun} into another, which takes over its transactions"
    route = {"takes": MergeBody, "requires": ("into_id",), "runs": LARGE, **more}
    return resource.act("merge", resource.adopt(merge_into), summary, **route)


def _find_target(call: Call, resource: Resource[N, Any], merged: N, noun: str) -> N:
    values = parse_complete(MergeBody, call.fields, "into_id")
    into = resource.get(call.db, call.user_id, ensure(values.into_id))
    if into is None:
        refuse_field("into_id", f"The selected into id is invalid: there is no such {noun}.")
    if into.id == merged.id:
        refuse_field("into_id", f"A {noun} cannot be merged into itself. Choose another {noun}.")
    return into


class MonthShown(Struct, gc=False):
    month: str
    spent: Number
    earned: Number


class CurrencyMonths(InCurrency, gc=False, kw_only=True):
    """Lists the figures of all months in one currency, including months without transactions."""

    months: list[MonthShown]


MonthsDocument = Item[list[CurrencyMonths]]


def months_route(resource: Resource[Any, Any], label: Label, noun: str) -> Route:
    @resource.adopt
    def by_month(call: Call) -> Answer:
        label_id = resource.find(call).id
        return answer_months(call, lambda within: label_months.of_label(call.db, call.user_id, label, label_id, within))

    summary = f"Show month by month what was spent and earned with a {noun}"
    return resource.own("GET", "months", by_month, summary, *RANGED, gives=MonthsDocument)


def answer_months(call: Call, read: Callable[[tuple[date, date]], Iterable[MonthSum]]) -> Answer:
    """Shows all months that overlap the range from `start` to `end`, each as a whole.

    Without a range, shows the last twelve months.
    """
    chosen = call.whole_range()
    this_month = month_number(call.today)
    first = month_number(chosen.start) if chosen else this_month - _MONTHS_USUAL + 1
    last = month_number(chosen.end) if chosen else this_month
    month_sums = list(read((day_in_month(first, 1), day_in_month(last, 28))))
    names = [day_in_month(month, 1).isoformat()[:7] for month in range(first, last + 1)]
    return Answer(Item(_show_months(month_sums, names)))


def _show_months(month_sums: list[MonthSum], names: list[str]) -> list[CurrencyMonths]:
    units = {(month_sum.currency.id, month_sum.month, month_sum.is_spent): month_sum.units for month_sum in month_sums}
    currencies = {month_sum.currency.id: month_sum.currency for month_sum in month_sums}
    return [
        CurrencyMonths(
            **currency_fields(currency),
            months=[
                MonthShown(
                    month=name,
                    spent=number(units.get((currency.id, name, True), 0), currency.places),
                    earned=number(units.get((currency.id, name, False), 0), currency.places),
                )
                for name in names
            ],
        )
        for _, currency in sorted(currencies.items())
    ]
