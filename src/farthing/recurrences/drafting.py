"""What does a body ask for? Read and checked as a whole: the same for a new recurrence, a changed one and a preview."""

from collections.abc import Sequence

from ..errors import Problem, refuse
from ..fields import Parsed, parse
from ..http.call import Call
from ..ledger.entry import Entry
from ..ledger.kinds import Type
from ..piggy_banks import store as piggy_banks
from ..piggy_banks.model import misfit
from ..piggy_banks.move import NO_SUCH
from ..transactions import known, record
from ..transactions.compose import split_drafts
from ..transactions.model import TYPES, Known, SplitDraft, sides
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
    splits = split_drafts(groups, TYPES.get(parsed.values.type or ""), facts, problems)
    refuse([*problems, *_piggy_problems(call, parsed, splits)])
    return wire.draft(parsed.values, planned, tuple(splits)), facts


def _piggy_problems(call: Call, parsed: Parsed[wire.RecurrenceBody], splits: Sequence[SplitDraft]) -> list[Problem]:
    """As for a transfer that is sent; that it must be one is said elsewhere."""
    wanted = parsed.values.piggy_bank_id
    if wanted is None:
        return []
    pot = piggy_banks.pots(call.db, call.user_id, [wanted]).get(wanted)
    if pot is None:
        return [Problem("piggy_bank_id", NO_SUCH)]
    reason = misfit(Type.TRANSFER, pot.account_id, sides(splits) or {pot.account_id})
    if reason is None or parsed.values.type != "transfer":
        return []
    return [Problem("piggy_bank_id", f"The piggy bank ID {reason}.")]


def first_entry(call: Call, made_of: Draft, facts: Known) -> Entry:
    """Makes the accounts and labels that the draft names, as booking it would."""
    maker = record.Maker(call.db, call.user_id, facts, call.now)
    return maker.entry(TransactionDraft(made_of.type, made_of.first_on, made_of.title, made_of.splits))
