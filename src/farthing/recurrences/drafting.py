"""What does a body ask for? Read and checked as a whole: the same for a new recurrence, a changed one and a preview."""

from ..errors import refuse
from ..fields import parse
from ..http.call import Call
from ..ledger.entry import Entry
from ..transactions import known, record
from ..transactions.compose import piggy_bank_meant, split_drafts
from ..transactions.model import TYPES, Known
from ..transactions.model import Draft as TransactionDraft
from . import wire
from .model import Draft, Recurrence

REQUIRED = ("type", "title", "first_date", "apply_rules", "active", "repetitions", "transactions")


def draft(call: Call, kept: Recurrence | None) -> tuple[Draft, Known]:
    """Parse, rules between fields, rules that need the database: everything wrong is said at once."""
    parsed = parse(wire.RecurrenceBody, call.fields)
    problems = [*parsed.problems, *wire.problems(parsed, call.today, kept.first_on if kept else None)]
    problems += [*wire.text_problems(parsed), *wire.missing_sides(parsed)]
    planned = wire.repetitions(parsed, problems)
    facts = known.load(call.db, call.user_id, [parsed.values])
    groups = parsed.each("transactions", parsed.values.transactions)
    type_ = TYPES.get(parsed.values.type or "")
    splits = split_drafts(groups, type_, facts, problems)
    piggy_bank_id = piggy_bank_meant(parsed, type_, facts, splits, problems)
    refuse(problems)
    return wire.draft(parsed.values, planned, tuple(splits), piggy_bank_id), facts


def first_entry(call: Call, made_of: Draft, facts: Known) -> Entry:
    """Makes the accounts and labels that the draft names, as booking it would."""
    maker = record.Maker(call.db, call.user_id, facts, call.now)
    return maker.entry(TransactionDraft(made_of.type, made_of.first_on, made_of.title, made_of.splits))
