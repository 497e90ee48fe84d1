"""What can be done with bills over HTTP?"""

from collections.abc import Sequence
from datetime import timedelta
from itertools import islice
from typing import Any

from msgspec import Struct

from ..attachments import listing as attachments
from ..attachments import store as kept_attachments
from ..attachments.model import Model, Place
from ..currencies.choose import chosen
from ..errors import Problem, refuse
from ..fields import parse
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import All, Item, Page, Thing, thing
from ..http.includes import Include, Related, Shown, include, registry
from ..http.pages import asked, page
from ..http.relatives import USER
from ..http.route import PAGED, RANGED, Route
from ..jobs import queue
from ..ledger.kinds import Type
from ..rules import listing as rules_listing
from ..rules import store as kept_rules
from ..text import fold
from ..transactions import lines, listing
from ..transactions.counts import Book, Days
from . import claim, explain, store, wire
from .expect import outlooks
from .model import Bill, Draft, words_key

BillThing = Thing[wire.BillAttributes]
_MATCH_RANGE = timedelta(days=365)


def index(call: Call) -> Answer:
    at = asked(call)
    total, bills = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    document = page(call, "/bills", _things(call, bills), total, quirk="")
    include(call, document, bills, INCLUDES)
    return Answer(document)


def show(call: Call) -> Answer:
    return _answer(call, found(store.get(call.db, call.user_id, call.id)))


def create(call: Call) -> Answer:
    bill_id = store.add(call.db, call.user_id, _draft(call, 0), call.now)
    return _claimed(call, bill_id)


def change(call: Call) -> Answer:
    bill = found(store.get(call.db, call.user_id, call.id))
    draft = _draft(call, bill.id)
    store.change(call.db, call.user_id, bill.id, draft, call.now)
    kept_rules.rename(call.db, call.user_id, "bills", bill.name, draft.name, call.now)
    return _claimed(call, bill.id)


def remove(call: Call) -> Answer:
    bill = found(store.get(call.db, call.user_id, call.id))
    claim.end(call.db, call.user_id, bill)
    kept_attachments.remove_of_bill(call.db, call.user_id, bill.id)
    store.remove(call.db, call.user_id, bill.id)
    return NOTHING


def transactions(call: Call) -> Answer:
    bill = found(store.get(call.db, call.user_id, call.id))
    at, days = asked(call), listing.days_of(call)
    shown = lines.of_owners(call.db, call.user_id, "bill_id", [bill.id], days, limit=at.size, offset=at.offset)[bill.id]
    total = lines.count_of_owner(call.db, call.user_id, "bill_id", bill.id, days)
    document = page(call, f"/bills/{bill.id}/transactions", listing.things(call, shown), total)
    include(call, document, shown, listing.INCLUDES)
    return Answer(document)


def attached(call: Call) -> Answer:
    bill = found(store.get(call.db, call.user_id, call.id))
    return attachments.listed(call, f"/bills/{bill.id}/attachments", Place(Model.BILL, bill.id))


def rules(call: Call) -> Answer:
    """Those that link to it; a user has few, so they are all read, and the page is cut from them."""
    bill, at = found(store.get(call.db, call.user_id, call.id)), asked(call)
    linking = kept_rules.linking_to(call.db, call.user_id, [bill.name])[bill.name]
    path = f"/bills/{bill.id}/rules"
    return rules_listing.listed(call, path, linking[at.offset : at.offset + at.size], len(linking))


def _rules(call: Call, bills: Sequence[Bill]) -> list[Related]:
    linking = kept_rules.linking_to(call.db, call.user_id, [bill.name for bill in bills])
    shown = iter(rules_listing.things(call, [rule for bill in bills for rule in linking[bill.name]]))
    return [Shown(list(islice(shown, len(linking[bill.name]))), linking[bill.name]) for bill in bills]


class MatchAttributes(Struct):
    linked: bool
    why: str
    transactions: list[listing.TransactionThing]


MatchThing = Thing[MatchAttributes]


def matches(call: Call) -> Answer:
    """Linked transactions and near misses of a range, the last year by default, each with its reason."""
    bill = found(store.get(call.db, call.user_id, call.id))
    days = listing.days_of(call)
    if days == Days():
        days = Days((call.today - _MATCH_RANGE).isoformat(), call.today.isoformat())
    waits = bill.id in queue.waiting_for(call.db, call.user_id, claim.KIND)
    seen = explain.around(call.db, Book(call.user_id, frozenset(Type)), bill, days, waits=waits)
    return Answer(All([_match(call, one) for one in seen]))


def _match(call: Call, seen: explain.Seen) -> MatchThing:
    things = listing.things(call, seen.lines)
    attributes = MatchAttributes(seen.linked, seen.why, things)
    return Thing("bill_matches", str(seen.lines[0].entry_id), attributes, things[0].links)


def _draft(call: Call, bill_id: int) -> Draft:
    """Parse, rules between fields, rules that need the database: everything wrong is said at once."""
    parsed = parse(wire.BillBody, call.fields)
    problems = [*parsed.problems, *wire.problems(parsed), *_taken(call, parsed.values, bill_id)]
    draft = wire.draft(parsed, chosen(call.db, parsed, problems), problems)
    refuse(problems)
    assert draft is not None, "without problems there is a draft"
    return draft


def _taken(call: Call, values: wire.BillBody, bill_id: int) -> list[Problem]:
    asked_for = {
        ("name", "name_fold"): fold(values.name or ""),
        ("match", "words_key"): words_key(tuple(values.match or ())),
    }
    sentences = {
        "name": "The name has already been taken by another of your bills.",
        "match": "The match words are already those of another of your bills.",
    }
    return [
        Problem(field, sentences[field])
        for (field, column), value in asked_for.items()
        if value and store.taken(call.db, call.user_id, column=column, value=value, except_id=bill_id)
    ]


def _claimed(call: Call, bill_id: int) -> Answer:
    bill = found(store.get(call.db, call.user_id, bill_id))
    claim.begin(call.db, call.user_id, bill, call.now)
    return _answer(call, bill)


def _answer(call: Call, bill: Bill) -> Answer:
    document = Item(_things(call, [bill])[0])
    include(call, document, [bill], INCLUDES_OF_ONE)
    return Answer(document)


def _things(call: Call, bills: Sequence[Bill]) -> list[BillThing]:
    chosen_range = call.range()
    within = (chosen_range.start, chosen_range.end) if chosen_range else None
    seen = outlooks(call.db, call.user_id, bills, within, call.today)
    files = kept_attachments.counts_of_bills(call.db, call.user_id, [bill.id for bill in bills])
    waiting = queue.waiting_for(call.db, call.user_id, claim.KIND)
    return [
        thing(
            call.base,
            "bills",
            bill.id,
            wire.show(bill, seen[bill.id], attachments=files.get(bill.id, 0), matching=bill.id in waiting),
            uri=f"/bills/{bill.id}",
        )
        for bill in bills
    ]


def _page_of_transactions(call: Call, bills: Sequence[Bill]) -> list[Related]:
    at = asked(call)
    return _transactions(call, bills, limit=at.size, offset=at.offset)


def _newest_transactions(call: Call, bills: Sequence[Bill]) -> list[Related]:
    """In a list `page` pages the list itself."""
    return _transactions(call, bills, limit=call.caller.page_size, offset=0)


def _transactions(call: Call, bills: Sequence[Bill], *, limit: int, offset: int) -> list[Related]:
    ids = [bill.id for bill in bills]
    pages = lines.of_owners(call.db, call.user_id, "bill_id", ids, listing.days_of(call), limit=limit, offset=offset)
    return [listing.as_relatives(call, pages[bill_id]) for bill_id in ids]


_ATTACHMENTS = attachments.related(Model.BILL, lambda bill: bill.id)
_RULES = Include("rules", _rules, further=rules_listing.INCLUDES)
INCLUDES = registry(USER, _ATTACHMENTS, listing.along(_newest_transactions), _RULES)
INCLUDES_OF_ONE = registry(USER, _ATTACHMENTS, listing.along(_page_of_transactions), _RULES)
_ONE: Any = Item[BillThing]

ROUTES = (
    Route(
        "GET", "/bills", index, "List bills",
        gives=Page[BillThing], parameters=(*RANGED, *PAGED), includes=INCLUDES,
    ),
    Route(
        "POST", "/bills", create, "Make a bill, and link what pays it",
        gives=_ONE, takes=wire.BillBody, requires=wire.REQUIRED, includes=INCLUDES_OF_ONE, heavy=True,
    ),
    Route(
        "GET", "/bills/{id}", show, "Show a bill",
        gives=_ONE, parameters=(*RANGED, *PAGED), includes=INCLUDES_OF_ONE,
    ),
    Route(
        "PUT", "/bills/{id}", change, "Change a bill; what is left out is blanked",
        gives=_ONE, takes=wire.BillBody, requires=wire.REQUIRED, includes=INCLUDES_OF_ONE, heavy=True,
    ),
    Route("DELETE", "/bills/{id}", remove, "Delete a bill; its transactions stay", heavy=True),
    Route(
        "GET", "/bills/{id}/transactions", transactions, "List what paid a bill",
        gives=Page[listing.TransactionThing], parameters=(*RANGED, *PAGED), includes=listing.INCLUDES,
    ),
    Route(
        "GET", "/bills/{id}/attachments", attached, "List the attachments of a bill",
        gives=Page[attachments.AttachmentThing], parameters=PAGED, includes=attachments.INCLUDES, heavy=True,
    ),
    Route(
        "GET", "/bills/{id}/rules", rules, "List the rules that link to a bill",
        gives=Page[rules_listing.RuleThing], parameters=PAGED, includes=rules_listing.INCLUDES,
    ),
    Route(
        "GET", "/bills/{id}/matches", matches, "Say what pays a bill, what nearly does, and why",
        gives=All[MatchThing], parameters=RANGED, heavy=True,
    ),
)  # fmt: skip
