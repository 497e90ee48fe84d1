"""Makes the routes that categories, tags and payees share: merges, months, and the filter for unused objects."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, TypeVar

from msgspec import Struct

from farthing.books.currencies import store as currency_store
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call, Range
from farthing.http.resources.lists import Numbered
from farthing.http.route import LARGE, RANGED, Parameter, Route
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import Id, RequestBody, parse_complete
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Number, number
from farthing.ledger.entry import Label, Summed
from farthing.ledger.kinds import Type
from farthing.overviews.reports.reading import stored_sums
from farthing.overviews.reports.reading.ranges import ReportRange
from farthing.schedule.months import day_in_month, month_number, start_of_next_month
from farthing.schedule.periods import Period
from farthing.storage.unit import Unit

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
    """`into_id` is the id of the object that is kept. It takes over everything from the object in the path."""

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
    summary = summary or f"Merge a {noun} into another, and move its transactions there"
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


def months_route(
    resource: Resource[Any, Any],
    label: Label,
    noun: str,
    *parameters: Parameter,
    find_ids: Callable[[Call, int], Sequence[int]] = lambda _, label_id: [label_id],
) -> Route:
    """Makes the route with monthly figures. `find_ids` finds all labels whose amounts are added up."""

    @resource.adopt
    def by_month(call: Call) -> Answer:
        return answer_months(call, label, find_ids(call, resource.find(call).id))

    summary = f"Show month by month what was spent and earned with a {noun}"
    return resource.own("GET", "months", by_month, summary, *RANGED, *parameters, gives=MonthsDocument)


def answer_months(call: Call, table: Summed, label_ids: Sequence[int]) -> Answer:
    """Shows each month of the range from `start` to `end`, of which the first and the last may be incomplete.

    Without a range, shows the last twelve months.
    """
    chosen = call.whole_range() or Range(
        start=day_in_month(month_number(call.today) - _MONTHS_USUAL + 1, 1),
        end=start_of_next_month(call.today) - timedelta(days=1),
    )
    within = ReportRange(start=chosen.start, end=chosen.end, period=Period.MONTH)
    flows = stored_sums.sum_some(call.db, call.user_id, table, list(label_ids), within)
    used = {currency_id for amounts in flows.values() for currency_id, parts in amounts.items() if any(parts)}
    zeros = within.zeros()
    shown = []
    for currency_id, currency in sorted(currency_store.by_ids(call.db, used).items()):
        spent, earned = (flows[type_].get(currency_id, zeros) for type_ in (Type.WITHDRAWAL, Type.DEPOSIT))
        months = [
            MonthShown(
                month=part.first.isoformat()[:7],
                spent=number(spent_units, currency.places),
                earned=number(earned_units, currency.places),
            )
            for part, spent_units, earned_units in zip(within.parts, spent, earned, strict=True)
        ]
        shown.append(CurrencyMonths(**currency_fields(currency), months=months))
    return Answer(Item(shown))
