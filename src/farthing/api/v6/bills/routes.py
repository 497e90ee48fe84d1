"""Serves bills, which are also served as subscriptions."""

from msgspec import Struct

from farthing.books.attachments.model import Model
from farthing.books.bills import store
from farthing.books.bills.model import Bill, BillDraft
from farthing.books.lifecycle import bills as lifecycle
from farthing.books.lifecycle import object_groups
from farthing.books.rules import store as rules
from farthing.books.transactions.groups import OwnerBook
from farthing.http.answer.document import Page
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, RANGED, Route
from farthing.kernel.fields import parse
from farthing.kernel.money import Money
from farthing.kernel.parsed import ensure, order_problems
from farthing.schedule.frequency import Frequency

from ..objects import rules as rule_objects
from ..objects.attachments import list_route
from ..objects.bills import BillThing, make_bills
from ..objects.groups import GROUPS, PARAMETERS, answer_groups
from ..parts.documents import answer_page, ask_for_all
from ..parts.money import read_currency
from ..parts.partial import keep, need, need_day, need_units, over, over_day, over_required
from ..parts.resource import Resource
from ..parts.zeros import empty_zeros
from .wire import BillBody


def _draft(call: Call, bill: Bill | None) -> BillDraft:
    parsed = parse(BillBody, empty_zeros(call.fields, "object_group_id", "currency_id", "order"))
    zone, stored_in = call.caller.timezone, bill.currency if bill else None
    name = need(parsed, "name", bill.name if bill else None)
    currency = read_currency(call, parsed, stored_in)
    lowest = need_units(parsed, "amount_min", _money(bill, bill.lowest_units) if bill else None, currency)
    highest = need_units(parsed, "amount_max", _money(bill, bill.highest_units) if bill else None, currency)
    if lowest is not None and highest is not None and lowest > highest:
        parsed.report("amount_min", "The minimum amount may not be larger than the maximum amount.")
        parsed.report("amount_max", "The maximum amount may not be smaller than the minimum amount.")
    first_on = need_day(parsed, "date", bill.first_on.isoformat() if bill else None, zone)
    end_on = over_day(parsed, "end_date", bill.end_on.isoformat() if bill and bill.end_on else None, zone)
    extended = bill.extension_on.isoformat() if bill and bill.extension_on else None
    extension_on = over_day(parsed, "extension_date", extended, zone)
    parsed.report_all(order_problems(first_on, end_on, "date", "end_date"))
    frequency: Frequency | None = need(parsed, "repeat_freq", bill.frequency if bill else None)
    bill_id, group_id = (bill.id, bill.object_group_id) if bill else (0, None)
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, name=name, words=None, except_id=bill_id))
    group_id = object_groups.choose(call.db, call.user_id, parsed, group_id, call.now)
    changed = {
        "skip": over_required(parsed, "skip", bill.skip if bill else 0),
        "active": over_required(parsed, "active", bill.active if bill else True),
        "notes": over(parsed, "notes", bill.notes if bill else None),
    }
    parsed.finish()
    return keep(
        BillDraft,
        bill or _WITHOUT_WORDS,
        name=ensure(name),
        lowest_units=ensure(lowest),
        highest_units=ensure(highest),
        currency=ensure(currency),
        first_on=ensure(first_on),
        end_on=end_on,
        extension_on=extension_on,
        frequency=ensure(frequency),
        object_group_id=group_id,
        order=parsed.values.order,
        **changed,
    )


class _WithoutWords(Struct, frozen=True):
    words: tuple[str, ...] = ()
    automatch: bool = False


_WITHOUT_WORDS = _WithoutWords()


def _money(bill: Bill, units: int) -> Money:
    return Money(units=units, currency=bill.currency)


BILLS = Resource(
    path="/bills",
    shows=BillThing,
    things=make_bills,
    get=store.get,
    page=store.page_in_order,
    draft=_draft,
    add=lambda call, draft: lifecycle.add(call.db, call.user_id, draft, call.now).id,
    update=lambda call, bill, draft: lifecycle.change(call.db, call.user_id, bill, draft, call.now),
    delete=lambda call, bill: lifecycle.remove(call.db, call.user_id, bill),
    takes=BillBody,
    requires=("name", "amount_min", "amount_max", "date", "repeat_freq"),
)


def make_routes(resource: Resource[Bill, BillDraft]) -> tuple[Route, ...]:
    """Makes the routes of bills below the path of the resource."""

    @resource.adopt
    def index(call: Call) -> Answer:
        """Puts all bills on one page, because some clients read only the first."""
        ask_for_all(call)
        return resource.list_page(call)

    @resource.adopt
    def transactions(call: Call) -> Answer:
        bill_id = resource.find(call).id
        path = f"{resource.path}/{bill_id}/transactions"
        return answer_groups(call, path, OwnerBook(call.user_id, "bill_id", bill_id))

    @resource.adopt
    def list_rules(call: Call) -> Answer:
        bill = resource.find(call)
        ask_for_all(call)
        linking = rules.find_linking_to(call.db, call.user_id, [bill.name])[bill.name]
        path = f"{resource.path}/{bill.id}/rules"
        return answer_page(call, path, rule_objects.things(call, linking), len(linking))

    return (
        resource.index("List bills; with a range, with their payments", *RANGED, handler=index),
        resource.create("Create a bill", runs=LARGE),
        resource.show("Show a bill; with a range, with its payments", *RANGED),
        resource.change("Change a bill; omitted fields are kept", runs=LARGE, requires=()),
        resource.remove("Delete a bill; its transactions stay", runs=LARGE),
        resource.own(
            "GET", "transactions", transactions, "List the transactions that paid a bill", *PARAMETERS, gives=GROUPS
        ),
        list_route(resource, Model.BILL, "List the attachments of a bill"),
        resource.own(
            "GET", "rules", list_rules, "List the rules that link transactions to a bill",
            gives=Page[rule_objects.RuleThing],
        ),
    )  # fmt: skip


ROUTES = make_routes(BILLS)
