"""Plans what becomes of rows of a file: loads what they may match, decides about each row, and drafts new transactions.

A preview shows the plan, and an import carries it out. Planning stores nothing.
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
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from . import compose, imported_rows, matching, near_transactions
from .near_transactions import NearEntry
from .options import ImportOptions, RowValues
from .own_accounts import OwnAccounts
from .settle import SettledRow
from .verdicts import New, PlannedRow

Drafts = tuple[TransactionDraft, ...]


class ImportPlan(Struct, frozen=True, kw_only=True):
    rows: list[PlannedRow]
    references: Lookup


def make(
    db: Unit,
    user_id: int,
    own: OwnAccounts,
    options: ImportOptions,
    settled: Sequence[SettledRow],
    *,
    composed: range | None = None,
    offer_counts: Mapping[int, int] | None = None,
) -> ImportPlan:
    """Plans rows, with a fixed number of queries. `composed` holds the indexes of the rows for which drafts are built;
    defaults to all rows. If these rows are only a part of a file, `offer_counts` must be what `count_offers` returns
    for the whole file.
    """
    settled = [_take_choice(row, options) for row in settled]
    rows, near = _find_duplicates(db, user_id, options, settled)
    rows = matching.decide(rows, own, near, options, offer_counts)
    places = range(len(rows)) if composed is None else composed
    plan = _compose(db, user_id, rows, places, own, _list_budgets(rows, options))
    return replace(plan, rows=[_keep_choice(row, options, plan.references) for row in plan.rows])


def count_offers(
    db: Unit, user_id: int, own: OwnAccounts, options: ImportOptions, settled: Sequence[SettledRow]
) -> Mapping[int, int]:
    """Counts, for each transaction, how many of these rows may match it."""
    rows, near = _find_duplicates(db, user_id, options, settled)
    return matching.count_offers(matching.match_stored(rows, own, near))


def _take_choice(settled: SettledRow, options: ImportOptions) -> SettledRow:
    """Puts what the user chose for a row in place of what the file says. The row's key stays the same."""
    chosen = options.values.get(str(settled.row.row))
    if chosen is None:
        return settled
    row, category = settled.row, chosen.category_name
    category = row.category if category is None else category or None
    splits = row.splits if chosen.category_name is None else [replace(one, category=category) for one in row.splits]
    tags = row.tags if chosen.tags is None else type(row.tags)(chosen.tags)
    chosen_row = replace(
        row, category=category, payee=chosen.payee_name or row.payee, tags=tags, splits=type(row.splits)(splits)
    )
    return replace(settled, row=chosen_row)


def _list_budgets(rows: Sequence[PlannedRow], options: ImportOptions) -> set[str]:
    chosen = (options.values.get(str(row.settled.row.row)) for row in rows) if options.values else ()
    return {values.budget_name for values in chosen if values and values.budget_name}


def _keep_choice(row: PlannedRow, options: ImportOptions, references: Lookup) -> PlannedRow:
    """Restores what the user chose for a row, because a rule may have changed it."""
    chosen, verdict = options.values.get(str(row.settled.row.row)), row.verdict
    if chosen is None or not isinstance(verdict, New):
        return row
    drafts = tuple(_label(draft, chosen, references) for draft in verdict.drafts)
    return replace(row, verdict=replace(verdict, drafts=drafts))


def _label(draft: TransactionDraft, chosen: RowValues, references: Lookup) -> TransactionDraft:
    """Gives a draft the chosen labels. Only withdrawals have budgets."""
    labels: dict[str, int | str | None] = {}
    if chosen.category_name is not None:
        labels["category"] = compose.find_category(chosen.category_name, references)
    if chosen.budget_name is not None and draft.type == Type.WITHDRAWAL:
        labels["budget"] = compose.find_budget(chosen.budget_name, references)
    tags = draft.tags if chosen.tags is None else compose.cut_tags(chosen.tags)
    return replace(draft, tags=tags, splits=tuple(replace(split, **labels) for split in draft.splits))


def _find_duplicates(
    db: Unit, user_id: int, options: ImportOptions, settled: Sequence[SettledRow]
) -> tuple[list[PlannedRow], list[NearEntry]]:
    """Returns the rows with duplicates marked, and the stored transactions that all other rows may match."""
    rows = matching.find_duplicates(settled, imported_rows.find_imported(db, user_id, settled), options)
    unseen = [row.settled for row in rows if isinstance(row.verdict, New)]
    return rows, near_transactions.find_near(db, user_id, unseen)


def _compose(
    db: Unit, user_id: int, rows: list[PlannedRow], places: range, own: OwnAccounts, budgets: set[str]
) -> ImportPlan:
    """Builds the drafts for new rows, with the user's rules already applied."""
    new = {index: verdict for index in places if isinstance(verdict := rows[index].verdict, New)}
    references = lookup.look_up(
        db, user_id, compose.request_references([rows[index].settled for index in new], budgets)
    )
    drafts = [
        compose.compose(rows[index].settled, own, references, verdict.transfer_to, may_transfer=not verdict.is_asked)
        for index, verdict in new.items()
    ]
    ruled, references = _apply_rules(db, user_id, drafts, references)
    composed = list(rows)
    for (index, verdict), (drafts_of_row, fired) in zip(new.items(), ruled, strict=True):
        composed[index] = replace(rows[index], verdict=replace(verdict, drafts=drafts_of_row, fired=fired))
    return ImportPlan(rows=composed, references=references)


def _apply_rules(
    db: Unit, user_id: int, drafts: Sequence[Drafts], references: Lookup
) -> tuple[list[tuple[Drafts, tuple[RuleMatch, ...]]], Lookup]:
    """Applies the user's rules. Returns the resulting drafts of each row, and the rules that changed them."""
    running = rules.find_running(db, user_id, RuleEvent.STORE)
    if not running:
        return [(drafts_of_row, ()) for drafts_of_row in drafts], references
    cases = [(draft, engine.ALONE) for drafts_of_row in drafts for draft in drafts_of_row]
    outcomes, references = rules.decide(db, user_id, running, cases, references)
    rules.log_skipped(user_id, outcomes)
    following = iter(outcomes)
    ruled = []
    for drafts_of_row in drafts:
        of_row = [next(following) for _ in drafts_of_row]
        fired = tuple(match for outcome in of_row for match in outcome.fired)
        ruled.append((tuple(outcome.draft for outcome in of_row), fired))
    return ruled, references
