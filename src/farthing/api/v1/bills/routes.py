"""Serves bills."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import islice

from msgspec import Struct

from farthing.books.attachments import store as attachment_store
from farthing.books.attachments.model import Model
from farthing.books.bills import claim, explain, store
from farthing.books.bills.expect import read_outlooks
from farthing.books.bills.model import Bill, BillDraft
from farthing.books.currencies.choose import choose
from farthing.books.lifecycle import bills as lifecycle
from farthing.books.lifecycle import object_groups
from farthing.books.rules import store as rule_store
from farthing.books.transactions.counts import Book, Days
from farthing.http.answer.document import All, Thing
from farthing.http.answer.includes import Include, Related, Shown, answer, registry
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.resources.lists import read_within
from farthing.http.route import LARGE, PAGED, RANGED, Parameter
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import parse
from farthing.ledger.kinds import Type
from farthing.storage import queue
from farthing.storage.unit import Unit

from ..resources.lists import make_thing
from ..resources.resource import Resource
from ..serializers import attachments
from ..serializers import rules as rules_listing
from ..serializers import transactions as listing
from ..serializers.users import USER
from . import wire

BillThing = Thing[wire.BillAttributes]
_MATCH_RANGE = timedelta(days=365)


def rules(call: Call) -> Answer:
    """Lists the rules that link transactions to the bill. Loads all of them for each page, because there are few."""
    bill, at = BILLS.find(call), read_page_request(call)
    linking = rule_store.find_linking_to(call.db, call.user_id, [bill.name])[bill.name]
    path = f"/bills/{bill.id}/rules"
    of_page = linking[at.offset : at.offset + at.size]
    document = page(call, path, rules_listing.things(call, of_page), len(linking))
    return answer(call, document, of_page, rules_listing.INCLUDES)


def _rules(call: Call, bills: Sequence[Bill]) -> list[Related]:
    linking = rule_store.find_linking_to(call.db, call.user_id, [bill.name for bill in bills])
    rule_things = iter(rules_listing.things(call, [rule for bill in bills for rule in linking[bill.name]]))
    return [Shown(list(islice(rule_things, len(linking[bill.name]))), linking[bill.name]) for bill in bills]


class MatchAttributes(Struct):
    linked: bool
    why: str
    transactions: list[listing.TransactionThing]


MatchThing = Thing[MatchAttributes]


def matches(call: Call) -> Answer:
    """Lists the transactions that pay the bill or nearly match it, each with the reason.

    Without a range, covers the last year.
    """
    bill, days = BILLS.find(call), listing.days_of(call)
    if days == Days():
        days = Days((call.today - _MATCH_RANGE).isoformat(), call.today.isoformat())
    waits = bill.id in queue.list_waiting_subjects(call.db, call.user_id, claim.KIND)
    listed = explain.list_matches(call.db, Book(call.user_id, frozenset(Type)), bill, days, waits=waits)
    return Answer(All([_match(call, match) for match in listed]))


def _match(call: Call, match: explain.BillMatch) -> MatchThing:
    things = listing.things(call, match.lines)
    attributes = MatchAttributes(match.linked, call.say(match.why), things)
    return Thing("bill_matches", str(match.lines[0].entry_id), attributes, things[0].links)


def _draft(call: Call, bill: Bill | None) -> BillDraft:
    """Reads the body. Reports all problems at once: invalid fields, fields that contradict each other, and conflicts
    with stored data.
    """
    parsed = parse(wire.BillBody, call.fields)
    parsed.require(*(name for name in wire.REQUIRED if name != "match" or bill is None or bill.words))
    parsed.require_either("currency_id", "currency_code")
    values = parsed.values
    bill_id = bill.id if bill else 0
    parsed.report_all(
        lifecycle.taken_problems(call.db, call.user_id, name=values.name, words=values.match, except_id=bill_id)
    )
    stored_id = bill.object_group_id if bill else None
    group_id = object_groups.choose(call.db, call.user_id, parsed, stored_id, call.now)
    return wire.draft(parsed, choose(call.db, parsed), group_id, bill)


def _things(call: Call, bills: Sequence[Bill]) -> list[BillThing]:
    outlooks = read_outlooks(call.db, call.user_id, bills, read_within(call), call.today)
    files = attachment_store.counts_of_bills(call.db, call.user_id, [bill.id for bill in bills])
    waiting = queue.list_waiting_subjects(call.db, call.user_id, claim.KIND)
    return [
        make_thing(
            call,
            "bills",
            bill.id,
            wire.show(bill, outlooks[bill.id], attachments=files.get(bill.id, 0), matching=bill.id in waiting),
        )
        for bill in bills
    ]


_SORT = Parameter(
    "sort", {"type": "string", "enum": ["order"]}, "With `order`, lists them in the order you have chosen."
)


def _page(db: Unit, user_id: int, *, limit: int, offset: int, sort: str = "") -> tuple[int, Sequence[Bill]]:
    load = store.page_in_order if sort else store.page
    return load(db, user_id, limit=limit, offset=offset)


def _read_sort(call: Call) -> dict[str, str]:
    sort = call.query.get("sort")
    if sort not in (None, "", "order"):
        refuse_field("sort", "The sort must be `order`.")
    return {"sort": sort} if sort else {}


_ATTACHMENTS = attachments.relate(Model.BILL, lambda bill: bill.id)
_RULES = Include("rules", _rules, further=rules_listing.INCLUDES)
BILLS = Resource(
    path="/bills",
    shows=BillThing,
    things=_things,
    get=store.get,
    page=_page,
    filters=_read_sort,
    links=_read_sort,
    draft=_draft,
    add=lambda call, draft: lifecycle.add(call.db, call.user_id, draft, call.now).id,
    update=lambda call, bill, draft: lifecycle.change(call.db, call.user_id, bill, draft, call.now),
    delete=lambda call, bill: lifecycle.remove(call.db, call.user_id, bill),
    takes=wire.BillBody,
    requires=wire.REQUIRED,
    includes=registry(USER, _ATTACHMENTS, listing.page_of("bill_id", newest=True), _RULES),
    includes_of_one=registry(USER, _ATTACHMENTS, listing.page_of("bill_id"), _RULES),
    quirk="",
)

ROUTES = (
    BILLS.index("List bills", _SORT, *RANGED),
    BILLS.create("Create a bill, and link the transactions that pay it", runs=LARGE),
    BILLS.show("Show a bill", *RANGED, *PAGED),
    BILLS.arrange(store.put_in_order, "Put bills into an order"),
    BILLS.change("Change a bill; omitted fields are cleared", runs=LARGE),
    BILLS.remove("Delete a bill; its transactions stay", runs=LARGE),
    listing.owner_route(BILLS, "bill_id", "List the transactions that paid a bill", *RANGED, *PAGED),
    attachments.list_route(BILLS, Model.BILL, "List the attachments of a bill"),
    BILLS.listing(
        "rules", rules, "List the rules that link transactions to a bill", rules_listing.RuleThing,
        includes=rules_listing.INCLUDES,
    ),
    BILLS.own(
        "GET", "matches", matches, "List the transactions that pay a bill or nearly match it, with the reason", *RANGED,
        gives=All[MatchThing], runs=LARGE,
    ),
)  # fmt: skip
