"""Plans what becomes of some rows of a file: gathers what is known here, lets the stages decide, composes what is new.

A preview shows the plan, a run carries it out. Planning reads and stores nothing.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.bookkeeping import lookup
from farthing.books.rules import apply as rules
from farthing.books.rules import engine
from farthing.books.rules.engine import RuleMatch
from farthing.books.rules.model import RuleEvent
from farthing.books.transactions.model import Lookup, TransactionDraft
from farthing.storage.unit import Unit

from . import compose, imported_rows, verdicts
from .imported_rows import NearEntry
from .options import ImportOptions
from .own_accounts import OwnAccounts
from .settle import SettledRow
from .verdicts import New, PlannedRow

Drafts = tuple[TransactionDraft, ...]


class ImportPlan(Struct, frozen=True, kw_only=True):
    rows: list[PlannedRow]
    known: Lookup


def make(
    db: Unit,
    user_id: int,
    own: OwnAccounts,
    options: ImportOptions,
    settled: Sequence[SettledRow],
    *,
    composed: range | None = None,
    wanted: Mapping[int, int] | None = None,
) -> ImportPlan:
    """A handful of queries, however many rows. `composed`: the places of those that get drafts; without it all do.

    `wanted` is what `count_wanted` says about the whole file, where these rows are a part of it.
    """
    rows, near = _recognize(db, user_id, options, settled)
    rows = verdicts.decide(rows, own, near, options, wanted)
    return _compose(db, user_id, rows, range(len(rows)) if composed is None else composed, own)


def count_wanted(
    db: Unit, user_id: int, own: OwnAccounts, options: ImportOptions, settled: Sequence[SettledRow]
) -> Mapping[int, int]:
    """How many of these rows may be the same transaction that somebody typed, by the transaction."""
    rows, near = _recognize(db, user_id, options, settled)
    return verdicts.count_offers(verdicts.match_stored(rows, own, near))


def _recognize(
    db: Unit, user_id: int, options: ImportOptions, settled: Sequence[SettledRow]
) -> tuple[list[PlannedRow], list[NearEntry]]:
    """The rows, and the transactions that those may be which were not imported before."""
    rows = verdicts.recognize(settled, imported_rows.find_imported(db, user_id, settled), options)
    unseen = [row.settled for row in rows if isinstance(row.verdict, New)]
    return rows, imported_rows.find_near(db, user_id, unseen)


def _compose(db: Unit, user_id: int, rows: list[PlannedRow], places: range, own: OwnAccounts) -> ImportPlan:
    """Gives new rows their drafts, after the user's rules."""
    new = {place: verdict for place in places if isinstance(verdict := rows[place].verdict, New)}
    known = lookup.look_up(db, user_id, compose.request_references([rows[place].settled for place in new]))
    drafts = [
        compose.compose(rows[place].settled, own, known, verdict.transfer_to, may_transfer=not verdict.is_asked)
        for place, verdict in new.items()
    ]
    ruled, known = _apply_rules(db, user_id, drafts, known)
    composed = list(rows)
    for (place, verdict), (drafts_of_row, fired) in zip(new.items(), ruled, strict=True):
        composed[place] = replace(rows[place], verdict=replace(verdict, drafts=drafts_of_row, fired=fired))
    return ImportPlan(rows=composed, known=known)


def _apply_rules(
    db: Unit, user_id: int, drafts: Sequence[Drafts], known: Lookup
) -> tuple[list[tuple[Drafts, tuple[RuleMatch, ...]]], Lookup]:
    """Returns the drafts of each row as the rules leave them, and which rules changed them."""
    running = rules.find_running(db, user_id, RuleEvent.STORE)
    if not running:
        return [(drafts_of_row, ()) for drafts_of_row in drafts], known
    cases = [(draft, engine.ALONE) for drafts_of_row in drafts for draft in drafts_of_row]
    outcomes, known = rules.decide(db, user_id, running, cases, known)
    rules.log_skipped(user_id, outcomes)
    following = iter(outcomes)
    ruled = []
    for drafts_of_row in drafts:
        of_row = [next(following) for _ in drafts_of_row]
        fired = tuple(match for outcome in of_row for match in outcome.fired)
        ruled.append((tuple(outcome.draft for outcome in of_row), fired))
    return ruled, known
