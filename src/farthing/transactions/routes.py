"""What can be done with transactions over HTTP?"""

from collections.abc import Sequence
from typing import Any

from ..errors import refuse, refuse_field
from ..fields import parse
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import All, Page
from ..http.includes import include
from ..http.route import Route
from ..ledger.kinds import Type
from . import known, lines, record, wire
from .compose import composed
from .listing import INCLUDES, PARAMETERS, TransactionThing, listed, things
from .model import Draft, Known


def index(call: Call) -> Answer:
    return listed(call, "/transactions", call.query.get("type") or "default")


def show(call: Call) -> Answer:
    return _answer(call, [_entry_id(call)])


def create(call: Call) -> Answer:
    parsed = parse(wire.TransactionBody, call.fields)
    facts = known.load(call.db, call.user_id, [parsed.values])
    draft, problems = composed(parsed, facts)
    refuse(problems)
    return _answer(call, _record(call, facts, [draft]))


def change(call: Call) -> Answer:
    entry_id = _entry_id(call)
    kept = lines.of_entries(call.db, call.user_id, [entry_id])[0]
    parsed = parse(wire.TransactionBody, call.fields)
    facts = known.load(call.db, call.user_id, [parsed.values])
    draft, problems = composed(parsed, facts, Type(kept.type))
    if kept.type in (Type.OPENING_BALANCE, Type.RECONCILIATION):
        refuse_field("type", "An opening balance or a reconciliation is changed through its account.")
    refuse(problems)
    assert draft is not None
    entry = record.Maker(call.db, call.user_id, facts, call.now).entry(draft)
    record.rewrite(call.db, call.user_id, entry_id, entry, call.now)
    return _answer(call, [entry_id])


def remove(call: Call) -> Answer:
    record.erase(call.db, call.user_id, [_entry_id(call)])
    return NOTHING


def _entry_id(call: Call) -> int:
    return found(lines.entry_of(call.db, call.user_id, call.id))


def _record(call: Call, facts: Known, drafts: Sequence[Draft | None]) -> list[int]:
    maker = record.Maker(call.db, call.user_id, facts, call.now)
    entries = [maker.entry(draft) for draft in drafts if draft]
    return record.record_all(call.db, call.user_id, entries, call.now)


def _answer(call: Call, entry_ids: list[int]) -> Answer:
    """One object per split, also when there is only one."""
    shown = lines.of_entries(call.db, call.user_id, entry_ids)
    document = All(things(call, shown))
    include(call, document, shown, INCLUDES)
    return Answer(document)


_SPLITS: Any = All[TransactionThing]
_ALWAYS = ("date", "transactions")

ROUTES = (
    Route(
        "GET", "/transactions", index, "List transactions, one object per split",
        gives=Page[TransactionThing], parameters=PARAMETERS, includes=INCLUDES,
    ),
    Route(
        "POST", "/transactions", create, "Record a transaction",
        gives=_SPLITS, takes=wire.TransactionBody, requires=("type", *_ALWAYS), includes=INCLUDES,
    ),
    Route("GET", "/transactions/{id}", show, "Show all splits of a transaction", gives=_SPLITS, includes=INCLUDES),
    Route(
        "PUT", "/transactions/{id}", change, "Change a transaction; splits are matched by position",
        gives=_SPLITS, takes=wire.TransactionBody, requires=_ALWAYS, includes=INCLUDES,
    ),
    Route("DELETE", "/transactions/{id}", remove, "Delete a transaction with all its splits"),
)  # fmt: skip
