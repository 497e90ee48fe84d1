"""Serves transactions as groups of splits, and the splits themselves, which clients call journals."""

from decimal import Decimal
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from farthing.books.attachments.model import Model
from farthing.books.bookkeeping import record
from farthing.books.bookkeeping.compose import NOT_CHANGED_HERE
from farthing.books.lifecycle import transactions as lifecycle
from farthing.books.piggy_banks import events
from farthing.books.transactions import details, groups, lines
from farthing.books.transactions.groups import Group
from farthing.books.webhooks import outbox
from farthing.http.answer.document import Item
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import Route
from farthing.kernel.errors import Invalid, refuse_field
from farthing.kernel.parsed import Parsed
from farthing.kernel.shown import rate
from farthing.ledger.details import NO_DETAILS
from farthing.ledger.kinds import Type

from ..objects.attachments import list_route
from ..objects.groups import GROUPS, PARAMETERS, GroupThing, answer_groups, make_groups, make_new_group
from ..objects.piggy_banks import PiggyBankEventThing, event_things
from ..parts.documents import answer_one, answer_page
from ..parts.moments import Sent
from ..parts.resource import Resource
from .composing import compose_changed, compose_new
from .wire import StoreBody, UpdateBody, read


def index(call: Call) -> Answer:
    return answer_groups(call, "/transactions", usual="default")


def show(call: Call) -> Answer:
    return _answer(call, _find(call))


def create(call: Call) -> Answer:
    parsed = read(StoreBody, call.fields)
    new = compose_new(call, parsed)
    import_hash = _hash(parsed, call.caller.timezone)
    if parsed.values.error_if_duplicate_hash:
        _refuse_duplicate(call, import_hash, new.amount_field.replace(".amount", ".description"))
    draft = replace(new.draft, details=replace(new.draft.details or NO_DETAILS, import_hash=import_hash))
    _silence(call, parsed)
    entry_id, entry = lifecycle.record_one(
        call.db,
        call.user_id,
        draft,
        new.lookup,
        call.now,
        amount_field=new.amount_field,
        apply_rules=parsed.values.apply_rules is not False,
    )
    stored = lines.of_stored(call.db, call.user_id, entry_id, entry)
    return answer_one(make_new_group(call, stored, entry))


def _refuse_duplicate(call: Call, import_hash: str, field: str) -> None:
    entry_id = details.find_by_hash(call.db, call.user_id, import_hash)
    if entry_id is not None:
        refuse_field(field, f"Duplicate of transaction #{entry_id}.")


def _hash(parsed: Parsed[StoreBody], zone: str) -> str:
    """Returns a hash of the normalized splits: amounts without trailing zeros, and days in the user's time zone."""

    def plain(value: object) -> object:
        if isinstance(value, Sent):
            return value.on_day(zone)
        return rate(value) if isinstance(value, Decimal) else value

    splits: list[dict[str, Any]] = [
        {name: plain(getattr(split, name)) for name in sorted(split.model_fields_set)}
        for split in parsed.values.transactions or ()
    ]
    return sha256(msgspec.json.encode([parsed.values.group_title, splits])).hexdigest()


def change(call: Call) -> Answer:
    stored = _find(call)
    _refuse_special(stored)
    parsed = read(UpdateBody, call.fields)
    changed = compose_changed(call, parsed, stored)
    _silence(call, parsed)
    lifecycle.change(
        call.db,
        call.user_id,
        call.id,
        changed.draft,
        changed.lookup,
        call.now,
        amount_field=changed.amount_field,
        unlinks=changed.unlinks,
        leaves_piggy_bank=changed.leaves_piggy_bank,
        kept=changed.kept,
        apply_rules=parsed.values.apply_rules is not False,
    )
    return _answer_stored(call, call.id)


def _silence(call: Call, parsed: Parsed[StoreBody] | Parsed[UpdateBody]) -> None:
    if parsed.values.fire_webhooks is False:
        outbox.silence(call.db)


def _refuse_special(stored: Group) -> None:
    kind = Type(stored[0].type)
    if kind in NOT_CHANGED_HERE:
        refuse_field("transactions.0.type", NOT_CHANGED_HERE[kind])


def remove(call: Call) -> Answer:
    _find(call)
    record.erase(call.db, call.user_id, [call.id])
    return NOTHING


def piggy_bank_events(call: Call) -> Answer:
    """Lists the events of a transaction. They fit on a page, because a transaction uses at most one piggy bank."""
    _find(call)
    moved = events.of_entries(call.db, call.user_id, [call.id])
    return answer_page(call, f"/transactions/{call.id}/piggy-bank-events", event_things(call, moved), len(moved))


def show_journal(call: Call) -> Answer:
    return _answer_stored(call, _find_entry(call))


def remove_journal(call: Call) -> Answer:
    """Deletes one split. If it is the last one, the whole transaction is deleted."""
    lifecycle.remove_split(call.db, call.user_id, _find_entry(call), call.id, call.now)
    return NOTHING


def _find(call: Call) -> Group:
    return or_404(next(iter(groups.of_entries(call.db, call.user_id, [call.id])), None))


def _find_entry(call: Call) -> int:
    """Finds the transaction of the split in the path."""
    entry_id, _ = or_404(lines.entry_of(call.db, call.user_id, call.id))
    return entry_id


def _answer_stored(call: Call, entry_id: int) -> Answer:
    [stored] = groups.of_entries(call.db, call.user_id, [entry_id])
    return _answer(call, stored)


def _answer(call: Call, stored: Group) -> Answer:
    return answer_one(make_groups(call, [stored])[0])


_ONE = Item[GroupThing]
_TRANSACTIONS: Resource[Any, Any] = Resource(path="/transactions", shows=GroupThing)
ROUTES = (
    Route("GET", "/transactions", index, "List transactions", gives=GROUPS, parameters=PARAMETERS),
    Route(
        "POST", "/transactions", create, "Record a transaction with one or more splits",
        gives=_ONE, takes=StoreBody, requires=("transactions",),
    ),
    Route("GET", "/transactions/{id}", show, "Show a transaction with all its splits", gives=_ONE),
    Route(
        "PUT", "/transactions/{id}", change, "Change a transaction, and add, change or remove its splits",
        gives=_ONE, takes=UpdateBody,
    ),
    Route("DELETE", "/transactions/{id}", remove, "Delete a transaction with all its splits", fails=(Invalid,)),
    list_route(
        _TRANSACTIONS, Model.JOURNAL, "List the attachments of a transaction", lambda call: _find(call)[0].entry_id
    ),
    _TRANSACTIONS.listing(
        "piggy-bank-events", piggy_bank_events, "List what a transaction moved into or out of a piggy bank",
        PiggyBankEventThing,
    ),
    Route("GET", "/transaction-journals/{id}", show_journal, "Show the transaction of a split", gives=_ONE),
    Route("DELETE", "/transaction-journals/{id}", remove_journal, "Delete a split", fails=(Invalid,)),
)  # fmt: skip
