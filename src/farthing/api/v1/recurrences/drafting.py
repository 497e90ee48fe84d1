"""Reads and checks the body of a recurrence, for creating, changing and previewing it."""

from farthing.books.bookkeeping import lookup
from farthing.books.bookkeeping.compose import compose_splits, find_piggy_bank
from farthing.books.recurrences.model import Recurrence, RecurrenceDraft
from farthing.books.transactions.model import TYPES, Lookup
from farthing.http.request.call import Call
from farthing.kernel.fields import parse

from . import wire

REQUIRED = ("type", "title", "first_date", "apply_rules", "active", "repetitions", "transactions")


def draft(call: Call, recurrence: Recurrence | None) -> tuple[RecurrenceDraft, Lookup]:
    """Reports all problems at once: of single fields, between fields, and against the database."""
    parsed = parse(wire.RecurrenceBody, call.fields)
    groups = parsed.each("transactions", parsed.values.transactions)
    wire.check(parsed, call.today, recurrence.first_on if recurrence else None)
    wire.check_splits(parsed, groups)
    planned = wire.read_repetitions(parsed)
    facts = lookup.load(call.db, call.user_id, [parsed.values])
    type_ = TYPES.get(parsed.values.type or "")
    splits = compose_splits(groups, type_, facts)
    piggy_bank_id = find_piggy_bank(parsed, type_, facts, splits)
    return wire.draft(parsed, planned, tuple(splits), piggy_bank_id), facts
