"""Plans what becomes of some rows of a file: new, seen before, linked to what is there, or half of a transfer.

A preview shows the plan, a run carries it out. Planning reads and stores nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from farthing.books.bookkeeping import lookup
from farthing.books.rules import apply as rules
from farthing.books.rules import engine
from farthing.books.rules.engine import RuleMatch
from farthing.books.rules.model import RuleEvent
from farthing.books.transactions.model import KnownAccount, Lookup, TransactionDraft
from farthing.storage.unit import Unit

from . import compose, memory
from .memory import NEAR, NEAR_NAMED, ImportedRow, NearEntry
from .options import DeletedRows, ImportCounts, ImportOptions, LinkRows
from .own_accounts import OwnAccounts
from .pairing import (
    Likeness,
    LinkOffer,
    compare_halves,
    find_likeness,
    half_of_entry,
    half_of_row,
    is_near,
    is_on_its_side,
    offer,
)
from .settle import SAME_ID, SettledRow


class RowOutcome(StrEnum):
    NEW = "new"
    DUPLICATE = "duplicate"
    LINKED = "linked"
    PAIRED = "paired"
    SKIPPED = "skipped"


class PlannedRow(Struct, kw_only=True):
    """`entry_id` is the transaction that the row is already, or becomes a part of; `pair` if that has to become a
    transfer. `partner` is the place of the row in the same plan whose transfer it is half of.
    """

    settled: SettledRow
    outcome: RowOutcome = RowOutcome.NEW
    why: str = ""
    entry_id: int | None = None
    was_deleted: bool = False
    pair: NearEntry | None = None
    partner: int | None = None
    partner_row: int | None = None
    transfer_to: KnownAccount | None = None
    offers: tuple[LinkOffer, ...] = ()
    drafts: tuple[TransactionDraft, ...] = ()
    fired: tuple[RuleMatch, ...] = ()
    is_decided: bool = False
    is_unlinkable: bool = False


class Plan(Struct, frozen=True, kw_only=True):
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
) -> Plan:
    """A handful of queries, however many rows. `composed`: the places of those that get drafts; without it all do.

    `wanted` is what `count_wanted` says about the whole file, where these rows are a part of it.
    """
    planned = _find_known(db, user_id, own, options, settled)
    if options.link == LinkRows.SURE:
        _take_sure_links(planned, _count_offers(planned) if wanted is None else wanted)
    _apply_decisions(planned, options.rows)
    _pair_rows(planned, own)
    known = _compose(db, user_id, planned if composed is None else [planned[place] for place in composed], own)
    return Plan(rows=planned, known=known)


def count_wanted(
    db: Unit, user_id: int, own: OwnAccounts, options: ImportOptions, settled: Sequence[SettledRow]
) -> Mapping[int, int]:
    """How many of these rows may be the same transaction that somebody typed, by the transaction."""
    return _count_offers(_find_known(db, user_id, own, options, settled))


def _count_offers(planned: Sequence[PlannedRow]) -> Mapping[int, int]:
    return Counter(found.entry.entry_id for one in planned for found in one.offers)


def _find_known(
    db: Unit, user_id: int, own: OwnAccounts, options: ImportOptions, settled: Sequence[SettledRow]
) -> list[PlannedRow]:
    planned = [PlannedRow(settled=one) for one in settled]
    _find_repeated(planned, memory.find_imported(db, user_id, settled), options)
    unseen = [one for one in planned if one.outcome == RowOutcome.NEW]
    _find_relatives(unseen, own, memory.find_near(db, user_id, [one.settled for one in unseen]))
    return planned


def _find_repeated(
    planned: Sequence[PlannedRow], imported: Mapping[tuple[int, str], list[ImportedRow]], options: ImportOptions
) -> None:
    here: dict[tuple[int, str], PlannedRow] = {}
    for one in planned:
        settled = one.settled
        before = _same_row(settled, imported.get((settled.account.id, settled.key), ()))
        if before and before.is_there:
            one.outcome, one.entry_id = RowOutcome.DUPLICATE, before.entry_id
            one.why = "It was imported before."
        elif before and options.deleted == DeletedRows.SKIP:
            one.outcome, one.was_deleted = RowOutcome.DUPLICATE, True
            one.why = (
                "It was imported before, and its transaction was deleted: import with deleted=again to get it back."
            )
        elif (earlier := here.get((settled.account.id, settled.key))) and _is_same_day(earlier.settled, settled):
            one.outcome = RowOutcome.DUPLICATE
            one.why = _say_repeated(settled, earlier.settled)
        else:
            one.was_deleted = before is not None
            here[settled.account.id, settled.key] = one


def _say_repeated(settled: SettledRow, earlier: SettledRow) -> str:
    if settled.row.bank_id:
        return f"The file repeats row {earlier.row.row}: the bank's id and the amount are the same."
    return f"It is the same as row {earlier.row.row}, in a file before this one."


def _same_row(settled: SettledRow, before: Sequence[ImportedRow]) -> ImportedRow | None:
    """One whose transaction is still there comes first."""
    near = [one for one in before if not settled.row.bank_id or abs(one.on - settled.row.on) <= SAME_ID]
    return max(near, key=lambda one: one.is_there, default=None)


def _is_same_day(first: SettledRow, second: SettledRow) -> bool:
    return abs(first.row.on - second.row.on) <= SAME_ID


def _find_relatives(planned: Sequence[PlannedRow], own: OwnAccounts, near: Sequence[NearEntry]) -> None:
    """Halves of transfers first, the surest of all rows before the others; then what somebody typed."""
    by_amount: dict[tuple[int | None, int | None], list[NearEntry]] = defaultdict(list)
    for entry in near:
        by_amount[entry.currency_id, entry.units].append(entry)
        if entry.foreign_units:
            by_amount[entry.foreign_currency_id, entry.foreign_units].append(entry)
    whole = [one for one in planned if not one.settled.row.splits]
    used = _take_halves(whole, own, by_amount)
    for one in whole:
        if one.entry_id is None:
            money = one.settled.money
            typed = (
                entry for entry in by_amount.get((money.currency.id, money.units), ()) if entry.entry_id not in used
            )
            offers = (offer(one.settled, entry) for entry in typed if _may_be_typed(one.settled, entry))
            one.offers = tuple(sorted(offers, key=lambda found: -found.score))


def _may_be_typed(settled: SettledRow, entry: NearEntry) -> bool:
    """By hand or by a recurrence, for what the row says."""
    is_free = not entry.imported_for and not entry.reconciled
    return is_free and is_near(settled, entry) and is_on_its_side(settled, entry)


def _take_halves(
    planned: Sequence[PlannedRow],
    own: OwnAccounts,
    by_amount: Mapping[tuple[int | None, int | None], Sequence[NearEntry]],
) -> set[int]:
    """Returns the transactions that are taken."""
    found = [
        (-likeness, abs(entry.on - one.settled.row.on), place, entry)
        for place, one in enumerate(planned)
        for money in (one.settled.money, one.settled.foreign)
        if money
        for entry in by_amount.get((money.currency.id, money.units), ())
        if (likeness := find_likeness(one.settled, entry, own))
    ]
    used: set[int] = set()
    for _, _, place, entry in sorted(found, key=lambda match: match[:3]):
        if planned[place].entry_id is None and entry.entry_id not in used:
            _pair(planned[place], entry, own)
            used.add(entry.entry_id)
    return used


def _pair(one: PlannedRow, entry: NearEntry, own: OwnAccounts) -> None:
    one.outcome, one.entry_id = RowOutcome.PAIRED, entry.entry_id
    one.why = "It is the other half of a transfer that was imported before."
    if half := half_of_entry(entry, own):
        one.pair = entry
        one.why = f"It is the other half of a row that was imported for “{half.account.name}”: together a transfer."


def _take_sure_links(planned: Sequence[PlannedRow], wanted: Mapping[int, int]) -> None:
    """Only where one row fits one transaction, and neither fits another."""
    for one in planned:
        if len(one.offers) == 1 and wanted.get(one.offers[0].entry.entry_id, 0) <= 1:
            _link(one, one.offers[0].entry.entry_id, one.offers[0].reason)


def _link(one: PlannedRow, entry_id: int, why: str) -> None:
    one.outcome, one.entry_id, one.pair, one.why = RowOutcome.LINKED, entry_id, None, why


def _apply_decisions(planned: Sequence[PlannedRow], decisions: Mapping[str, str]) -> None:
    if not decisions:
        return
    for one in planned:
        word, _, entry_id = decisions.get(str(one.settled.row.row), "").partition(":")
        if word == "skip":
            one.outcome, one.entry_id, one.pair, one.why = RowOutcome.SKIPPED, None, None, "Left out, as you asked."
        elif word == "new":
            one.outcome, one.entry_id, one.pair, one.why = RowOutcome.NEW, None, None, "New, as you asked."
            one.is_decided = True
        elif word == "link" and (found := _find_offer(one.offers, entry_id)):
            _link(one, found.entry.entry_id, "Linked, as you asked.")
        elif word == "link" and one.outcome == RowOutcome.NEW:
            one.outcome, one.is_unlinkable = RowOutcome.SKIPPED, True
            which = f"transaction {entry_id[:20]}" if entry_id else "a transaction"
            one.why = f"It was to be linked to {which}, but none fits by amount and day. It is left out."


def _find_offer(offers: Sequence[LinkOffer], entry_id: str) -> LinkOffer | None:
    return next((one for one in offers if not entry_id or str(one.entry.split_id) == entry_id), None)


def _pair_rows(planned: Sequence[PlannedRow], own: OwnAccounts) -> None:
    """Two new rows of two accounts, as they come in a file of several accounts."""
    waiting: dict[tuple[int, int, bool], list[int]] = defaultdict(list)
    for place, one in enumerate(planned):
        settled = one.settled
        if one.outcome != RowOutcome.NEW or one.is_decided or settled.row.splits or one.offers:
            continue
        amount = (settled.money.currency.id, settled.money.units)
        others = waiting.get((*amount, not settled.outgoing), [])
        partner = next((other for other in others if _are_a_transfer(planned[other], one, own)), None)
        if partner is None:
            waiting[*amount, settled.outgoing].append(place)
            continue
        others.remove(partner)
        planned[partner].transfer_to = settled.account
        one.outcome, one.partner, one.partner_row = RowOutcome.PAIRED, partner, planned[partner].settled.row.row
        one.why = f"It is the other half of row {one.partner_row}: together a transfer."


def _are_a_transfer(first: PlannedRow, second: PlannedRow, own: OwnAccounts) -> bool:
    if first.settled.account.currency != second.settled.account.currency:
        return False
    likeness = compare_halves(half_of_row(first.settled), half_of_row(second.settled), own)
    apart = abs(first.settled.row.on - second.settled.row.on)
    return likeness is not None and apart <= (NEAR_NAMED if likeness == Likeness.NAMED else NEAR)


def _compose(db: Unit, user_id: int, planned: Sequence[PlannedRow], own: OwnAccounts) -> Lookup:
    """The drafts of new rows, after the user's rules."""
    new = [one for one in planned if one.outcome == RowOutcome.NEW]
    known = lookup.look_up(db, user_id, compose.request_references(one.settled for one in new))
    for one in new:
        one.drafts = compose.compose(one.settled, own, known, one.transfer_to, may_transfer=not one.is_decided)
    running = rules.find_running(db, user_id, RuleEvent.STORE)
    if not running:
        return known
    cases = [(draft, engine.ALONE) for one in new for draft in one.drafts]
    outcomes, known = rules.decide(db, user_id, running, cases, known)
    rules.log_skipped(user_id, outcomes)
    ruled = iter(outcomes)
    for one in new:
        of_row = [next(ruled) for _ in one.drafts]
        one.drafts = tuple(outcome.draft for outcome in of_row)
        one.fired = tuple(match for outcome in of_row for match in outcome.fired)
    return known


def count(planned: Sequence[PlannedRow]) -> ImportCounts:
    """A half of a transfer counts as linked: no transaction of its own is made for it."""
    outcomes = Counter(one.outcome for one in planned)
    return ImportCounts(
        read=len(planned),
        new=outcomes[RowOutcome.NEW],
        duplicate=outcomes[RowOutcome.DUPLICATE],
        linked=outcomes[RowOutcome.LINKED] + outcomes[RowOutcome.PAIRED],
        rejected=outcomes[RowOutcome.SKIPPED],
    )
