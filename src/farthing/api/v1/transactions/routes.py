"""Serves transactions."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from farthing.books.attachments.model import Model
from farthing.books.bookkeeping import lookup, record
from farthing.books.bookkeeping.compose import NOT_CHANGED_HERE, amount_field, compose
from farthing.books.lifecycle import transactions as lifecycle
from farthing.books.piggy_banks import events
from farthing.books.rules import apply as rules
from farthing.books.transactions import details, lines
from farthing.books.transactions.model import Line, Lookup
from farthing.http.answer.document import All, translate_all
from farthing.http.answer.includes import answer
from farthing.http.answer.pages import page
from farthing.http.answer.problems import by_field
from farthing.http.request.call import NOTHING, Answer, Call, Unprepared, or_404
from farthing.http.route import FLAG_SCHEMA, LARGE, Before, Mode, Parameter, Route, Runs
from farthing.kernel.errors import FarthingError, Invalid, TooMany, refuse, refuse_field
from farthing.kernel.fields import parse
from farthing.ledger.kinds import Type

from ..resources.resource import Resource
from ..serializers import attachments
from ..serializers.piggy_banks import EventThing, event_things
from ..serializers.transactions import INCLUDES, PARAMETERS, TransactionThing, answer_list, things
from . import bulk as bulk_body
from . import matching, refunds, wire
from . import relabel as relabel_body


class BulkResult(Struct):
    """Shows the splits of one recorded transaction, or its errors.

    The keys of the errors are the field names in the whole body, such as `transactions.2.date`.
    """

    index: str
    status: int
    data: list[TransactionThing] | UnsetType = UNSET
    errors: dict[str, list[str]] | UnsetType = UNSET


class BulkMeta(Struct):
    recorded: int
    failed: int
    dry_run: bool


class BulkAnswer(Struct):
    """Has one result for each transaction, in the order of the request."""

    data: list[BulkResult]
    meta: BulkMeta


def index(call: Call) -> Answer:
    return answer_list(call, "/transactions", call.query.get("type") or "default")


def show(call: Call) -> Answer:
    entry_id, _ = _find(call)
    return _answer(call, lines.of_entries(call.db, call.user_id, [entry_id]))


def create(call: Call) -> Answer:
    parsed = parse(wire.TransactionBody, call.fields)
    facts = lookup.load(call.db, call.user_id, [parsed.values])
    draft = compose(parsed, facts)
    entry_id, entry = lifecycle.record_one(
        call.db, call.user_id, draft, facts, call.now, amount_field=amount_field(parsed)
    )
    return _answer(call, lines.of_stored(call.db, call.user_id, entry_id, entry))


def rule_many(call: Call) -> lifecycle.RuledItems | None:
    """Runs slow rules before anything is locked. Problems are ignored here, because the handler reports them."""
    try:
        many = call.fields.get("transactions")
        if not isinstance(many, list | dict) or not rules.takes_long(call.db, call.user_id, len(many)):
            return None
        parsed = bulk_body.read(call.fields)
        facts = lookup.load(call.db, call.user_id, parsed.values.transactions or ())
        sent = bulk_body.compose_all(parsed, facts)
        return lifecycle.rule_each(call.db, call.user_id, facts, sent, call.caller.revision)
    except FarthingError:
        return None


def create_many(call: Call) -> Answer:
    """Records all transactions or none, unless the caller sends `partial`."""
    flags, parsed = parse(wire.BulkFlags, call.query), bulk_body.read(call.fields)
    partial, dry_run = (
        bool(getattr(flags.values, name) or getattr(parsed.values, name)) for name in ("partial", "dry_run")
    )
    facts = lookup.load(call.db, call.user_id, parsed.values.transactions or ())
    sent = bulk_body.compose_all(parsed, facts)
    problems = [*parsed.problems, *flags.problems]
    if problems or not partial:
        refuse([*problems, *(problem for item in sent for problem in item.problems)])
    with lifecycle.roll_back_if(call.db, discard=dry_run):
        results = _record_each(call, facts, sent)
        if not partial:
            refuse(problem for result in results for problem in result.problems)
        page_lines = lines.of_entries(call.db, call.user_id, [result.entry_id for result in results if result.entry_id])
    return Answer(_bulk_answer(call, results, page_lines, dry_run=dry_run))


def _record_each(call: Call, facts: Lookup, sent: Sequence[lifecycle.BulkItem]) -> list[lifecycle.BulkItemResult]:
    ruled = call.prepared if isinstance(call.prepared, lifecycle.RuledItems) else None
    try:
        return lifecycle.record_each(call.db, call.user_id, facts, sent, call.now, ruled)
    except lifecycle.Unruled as error:
        raise Unprepared from error


def change_many(call: Call) -> Answer:
    """Changes the labels of all transactions or of none, as one change that can be undone as a whole."""
    request = relabel_body.read(call.db, call.user_id, call.fields)
    lifecycle.relabel_many(call.db, call.user_id, request, call.now)
    return Answer(All(things(call, lines.of_entries(call.db, call.user_id, request.entry_ids))))


def _bulk_answer(
    call: Call, results: Sequence[lifecycle.BulkItemResult], page_lines: Sequence[Line], *, dry_run: bool
) -> BulkAnswer:
    of_entry = {entry_id: list(of) for entry_id, of in groupby(page_lines, key=lambda line: line.entry_id)}
    data = [
        BulkResult(index=result.index, status=200, data=things(call, of_entry[result.entry_id]))
        if result.entry_id
        else BulkResult(index=result.index, status=422, errors=translate_all(by_field(result.problems), call.language))
        for result in results
    ]
    failed = sum(result.entry_id is None for result in results)
    meta = BulkMeta(recorded=len(results) - failed, failed=failed, dry_run=dry_run)
    return BulkAnswer(data=data, meta=meta)


def change(call: Call) -> Answer:
    entry_id, kind = _find(call)
    if kind in NOT_CHANGED_HERE:
        refuse_field("type", NOT_CHANGED_HERE[kind])
    parsed = wire.read_change(call.fields, kind)
    splits_query = lines.ask_splits(call.db, call.user_id, entry_id)
    facts = lookup.load(call.db, call.user_id, [parsed.values])
    splits = splits_query.rows()
    refunds, texts = {position for position, _, refund in splits if refund}, {text for _, text, _ in splits if text}
    draft = compose(parsed, facts, kind, refunds, texts)
    draft = replace(draft, details=wire.change_details(parsed, details.of_entry(call.db, call.user_id, entry_id)))
    entry = lifecycle.change(
        call.db,
        call.user_id,
        entry_id,
        draft,
        facts,
        call.now,
        amount_field=amount_field(parsed),
        unlinks=wire.unlinks(call.fields),
        leaves_piggy_bank=wire.leaves_piggy_bank(call.fields),
    )
    return _answer(call, lines.of_stored(call.db, call.user_id, entry_id, entry))


def remove(call: Call) -> Answer:
    entry_id, _ = _find(call)
    record.erase(call.db, call.user_id, [entry_id])
    return NOTHING


def remove_many(call: Call) -> Answer:
    """Deletes all transactions or none, as one change that can be undone as a whole."""
    split_ids = call.ids(most=wire.BULK_MAX)
    if not split_ids:
        refuse_field("ids", "The ids field is required: send at least one transaction.")
    spots = lines.find_positions(call.db, call.user_id, split_ids)
    if gone := [str(split_id) for split_id in split_ids if split_id not in spots]:
        refuse_field("ids", f"The selected ids are invalid: there is no transaction {', '.join(gone)}.")
    record.erase(call.db, call.user_id, sorted({spot.entry_id for spot in spots.values()}), amount_field="ids")
    return NOTHING


def piggy_bank_events(call: Call) -> Answer:
    """Lists the events of a transaction. They fit on a page, because a transaction uses at most one piggy bank."""
    entry_id, _ = _find(call)
    moved = events.of_entries(call.db, call.user_id, [entry_id])
    return Answer(page(call, f"/transactions/{call.id}/piggy_bank_events", event_things(call, moved), len(moved)))


def _find(call: Call) -> tuple[int, Type]:
    """Returns the entry of the split in the path, and its type."""
    return or_404(lines.entry_of(call.db, call.user_id, call.id))


def _answer(call: Call, page_lines: list[Line]) -> Answer:
    """Answers with a list of one object per split, even if there is only one split."""
    document = All(things(call, page_lines))
    return answer(call, document, page_lines, INCLUDES)


_SPLITS: Any = All[TransactionThing]
_BULK = (
    Parameter("partial", FLAG_SCHEMA, "Records the valid transactions and reports the errors of the others."),
    Parameter("dry_run", FLAG_SCHEMA, "Answers as usual, but records nothing."),
)
_IDS = Parameter(
    "ids", {"type": "string"}, "The ids of up to 1000 splits, as shown in lists, comma-separated.", required=True
)
_ALWAYS = ("date", "transactions")
_TRANSACTIONS: Resource[Any, Any] = Resource(
    path="/transactions", shows=TransactionThing, takes=wire.TransactionBody, includes=INCLUDES
)

ROUTES = (
    _TRANSACTIONS.index("List transactions, one object per split", handler=index, parameters=PARAMETERS),
    _TRANSACTIONS.create("Record a transaction", handler=create, gives=_SPLITS, requires=("type", *_ALWAYS)),
    Route(
        "POST", "/transactions/bulk", create_many, "Record up to 1000 transactions at once, all or nothing",
        gives=BulkAnswer, takes=wire.BulkBody, requires=("transactions",), parameters=_BULK,
        runs=Runs(large=True, before=Before(ask=rule_many, mode=Mode.READ)), fails=(TooMany,),
    ),
    Route(
        "DELETE", "/transactions/bulk", remove_many, "Delete up to 1000 transactions at once, all or nothing",
        parameters=(_IDS,), runs=LARGE, fails=(Invalid,),
    ),
    Route(
        "PUT", "/transactions/bulk", change_many, "Change category, budget or tags of up to 1000 transactions at once",
        gives=_SPLITS, takes=wire.RelabelBody, requires=("ids",), runs=LARGE,
    ),
    *matching.ROUTES,
    _TRANSACTIONS.show("Show all splits of a transaction", handler=show, gives=_SPLITS),
    _TRANSACTIONS.change(
        "Change a transaction; splits are matched by position", handler=change, gives=_SPLITS, requires=_ALWAYS
    ),
    _TRANSACTIONS.remove("Delete a transaction with all its splits", handler=remove, fails=(Invalid,)),
    refunds.ROUTE,
    _TRANSACTIONS.listing(
        "piggy_bank_events", piggy_bank_events, "List what a transaction moved into or out of a piggy bank", EventThing
    ),
    attachments.list_route(
        _TRANSACTIONS, Model.JOURNAL, "List the attachments of a transaction", lambda call: _find(call)[0]
    ),
)  # fmt: skip
