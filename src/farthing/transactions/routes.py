"""What can be done with transactions over HTTP?"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from ..attachments import listing as attachments
from ..attachments.model import Model, Place
from ..errors import Invalid, refuse, refuse_field
from ..fields import parse
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import All, Page
from ..http.includes import include
from ..http.pages import page
from ..http.problems import by_field
from ..http.route import PAGED, Parameter, Route
from ..ledger.kinds import Type
from ..piggy_banks import events
from ..piggy_banks.listing import EventThing, event_things
from ..rules import apply as rules
from ..rules.trigger import on_change_of_many
from . import bulk, known, lines, names, record, relabel, wire
from .compose import NOT_CHANGED_HERE, amount_field, composed, type_problems
from .listing import (
    INCLUDES,
    PARAMETERS,
    BulkAnswer,
    BulkMeta,
    BulkResult,
    TransactionThing,
    listed,
    things,
)
from .model import Line


def index(call: Call) -> Answer:
    return listed(call, "/transactions", call.query.get("type") or "default")


def show(call: Call) -> Answer:
    entry_id, _ = _meant(call)
    return _answer(call, [entry_id])


def create(call: Call) -> Answer:
    parsed = parse(wire.TransactionBody, call.fields)
    facts = known.load(call.db, call.user_id, [parsed.values], call.recalled)
    draft, problems = composed(parsed, facts)
    refuse(problems)
    assert draft is not None, "without problems there is a draft"
    [draft], facts = rules.on_create(call.db, call.user_id, [draft], facts)
    entry = record.Maker(call.db, call.user_id, facts, call.now).entry(draft)
    entry_id = record.record(call.db, call.user_id, entry, call.now, amount_field=amount_field(parsed))
    call.db.memory = names.met(facts, call.recalled)  # from here on nothing is written
    return _answer(call, [entry_id], tagged=bool(entry.tag_ids))


def create_many(call: Call) -> Answer:
    """All or nothing, unless each is to stand for itself."""
    asked, parsed = parse(wire.BulkFlags, call.query), bulk.read(call.fields)
    partial, dry_run = (
        bool(getattr(asked.values, name) or getattr(parsed.values, name)) for name in ("partial", "dry_run")
    )
    facts = known.load(call.db, call.user_id, parsed.values.transactions or ())
    sent, problems = bulk.composed_all(parsed, facts)
    problems += asked.problems
    if problems or not partial:
        refuse([*problems, *(problem for one in sent for problem in one.problems)])
    with bulk.taken_back(call.db, wanted=dry_run):
        results = bulk.record_each(call.db, call.user_id, facts, sent, call.now)
        if not partial:
            refuse(problem for result in results for problem in result.problems)
        shown = lines.of_entries(call.db, call.user_id, [one.entry_id for one in results if one.entry_id])
    return Answer(_bulk_answer(call, results, shown, dry_run=dry_run))


def change_many(call: Call) -> Answer:
    """Other labels for all of these, or for none; one change, that is undone as one."""
    wanted = relabel.read(call.db, call.user_id, call.fields)
    relabel.carry_out(call.db, call.user_id, wanted, call.now)
    on_change_of_many(call.db, call.user_id, wanted.entry_ids, call.now)
    return Answer(All(things(call, lines.of_entries(call.db, call.user_id, wanted.entry_ids))))


def _bulk_answer(call: Call, results: Sequence[bulk.Result], shown: Sequence[Line], *, dry_run: bool) -> BulkAnswer:
    of_entry = {entry_id: list(of) for entry_id, of in groupby(shown, key=lambda line: line.entry_id)}
    data = [
        BulkResult(one.index, 200, data=things(call, of_entry[one.entry_id]))
        if one.entry_id
        else BulkResult(one.index, 422, errors=by_field(one.problems))
        for one in results
    ]
    failed = sum(one.entry_id is None for one in results)
    return BulkAnswer(data, BulkMeta(len(results) - failed, failed, dry_run))


def change(call: Call) -> Answer:
    entry_id, kept = _meant(call)
    if kept in NOT_CHANGED_HERE:
        refuse_field("type", NOT_CHANGED_HERE[kept])
    parsed = parse(wire.TransactionBody, {name: value for name, value in call.fields.items() if name != "type"})
    facts = known.load(call.db, call.user_id, [parsed.values], call.recalled)
    draft, problems = composed(parsed, facts, kept)
    refuse([*type_problems(call.fields, kept), *problems])
    assert draft is not None, "without problems there is a draft"
    unlinks = wire.unlinks(call.fields)
    draft, facts = rules.on_change(call.db, call.user_id, entry_id, draft, facts, unlinks=unlinks)
    entry = record.Maker(call.db, call.user_id, facts, call.now).entry(draft)
    record.rewrite(
        call.db,
        call.user_id,
        entry_id,
        entry,
        call.now,
        amount_field=amount_field(parsed),
        unlinks=unlinks,
        leaves_piggy_bank=wire.leaves_piggy_bank(call.fields),
    )
    call.db.memory = names.met(facts, call.recalled)
    return _answer(call, [entry_id], tagged=bool(entry.tag_ids))


def remove(call: Call) -> Answer:
    entry_id, _ = _meant(call)
    record.erase(call.db, call.user_id, [entry_id])
    return NOTHING


def remove_many(call: Call) -> Answer:
    """All or nothing, and one change: a single undo brings them back."""
    split_ids = call.ids(most=wire.BULK_MAX)
    if not split_ids:
        refuse_field("ids", "The ids field is required: name at least one transaction.")
    spots = lines.spots(call.db, call.user_id, split_ids)
    if gone := [str(split_id) for split_id in split_ids if split_id not in spots]:
        refuse_field("ids", f"The selected ids are invalid: there is no transaction {', '.join(gone)}.")
    record.erase(call.db, call.user_id, sorted({spot.entry_id for spot in spots.values()}), amount_field="ids")
    return NOTHING


def attached(call: Call) -> Answer:
    entry_id, _ = _meant(call)
    return attachments.listed(call, f"/transactions/{call.id}/attachments", Place(Model.JOURNAL, entry_id))


def piggy_bank_events(call: Call) -> Answer:
    """A transaction moves money of one piggy bank at most: there is never more than a page."""
    entry_id, _ = _meant(call)
    moved = events.of_entries(call.db, call.user_id, [entry_id])
    return Answer(page(call, f"/transactions/{call.id}/piggy_bank_events", event_things(call, moved), len(moved)))


def _meant(call: Call) -> tuple[int, Type]:
    """The whole entry behind the split that was named, and its type."""
    return found(lines.entry_of(call.db, call.user_id, call.id))


def _answer(call: Call, entry_ids: list[int], *, tagged: bool = True) -> Answer:
    """One object per split, also when there is only one."""
    shown = lines.of_entries(call.db, call.user_id, entry_ids, tagged=tagged)
    document = All(things(call, shown))
    include(call, document, shown, INCLUDES)
    return Answer(document)


_SPLITS: Any = All[TransactionThing]
_FLAG = {"type": "string", "enum": ["0", "1", "true", "false"]}
_BULK = (
    Parameter("partial", _FLAG, "Record those that are right, and say what is wrong with the rest."),
    Parameter("dry_run", _FLAG, "Check and do everything, then take it back."),
)
_IDS = Parameter(
    "ids", {"type": "string"}, "Ids of splits as lists show them, comma separated, up to 1000.", required=True
)
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
    Route(
        "POST", "/transactions/bulk", create_many, "Record up to 1000 transactions at once, all or nothing",
        gives=BulkAnswer, takes=wire.BulkBody, requires=("transactions",), parameters=_BULK, heavy=True,
    ),
    Route(
        "DELETE", "/transactions/bulk", remove_many, "Delete up to 1000 transactions at once, all or nothing",
        parameters=(_IDS,), heavy=True, fails=(Invalid,),
    ),
    Route(
        "PUT", "/transactions/bulk", change_many, "Change category, budget or tags of up to 1000 transactions at once",
        gives=_SPLITS, takes=wire.RelabelBody, requires=("ids",), heavy=True,
    ),
    Route("GET", "/transactions/{id}", show, "Show all splits of a transaction", gives=_SPLITS, includes=INCLUDES),
    Route(
        "PUT", "/transactions/{id}", change, "Change a transaction; splits are matched by position",
        gives=_SPLITS, takes=wire.TransactionBody, requires=_ALWAYS, includes=INCLUDES,
    ),
    Route("DELETE", "/transactions/{id}", remove, "Delete a transaction with all its splits", fails=(Invalid,)),
    Route(
        "GET", "/transactions/{id}/piggy_bank_events", piggy_bank_events,
        "List what a transaction moved into a piggy bank, or out of it",
        gives=Page[EventThing], parameters=PAGED,
    ),
    Route(
        "GET", "/transactions/{id}/attachments", attached, "List the attachments of a transaction",
        gives=Page[attachments.AttachmentThing], parameters=PAGED, includes=attachments.INCLUDES, heavy=True,
    ),
)  # fmt: skip
