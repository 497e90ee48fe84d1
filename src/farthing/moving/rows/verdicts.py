"""Decides what becomes of each row of a file, one stage after the other; pure.

Each stage takes the rows as the stage before left them and returns them with their verdicts.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.rules.engine import RuleMatch
from farthing.books.transactions.model import KnownAccount, TransactionDraft

from ..findings import Finding
from .imported_rows import NEAR, NEAR_NAMED, ImportedRow, NearEntry
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


class New(Struct, frozen=True, kw_only=True):
    """The row is booked as `drafts`, after the rules in `fired` have changed them.

    `transfer_to` is the account of another row of this file that is the other half. `is_asked`: the user says that the
    row is new, so it is no half of a transfer.
    """

    outcome: ClassVar[str] = "new"
    why: str = ""
    is_asked: bool = False
    transfer_to: KnownAccount | None = None
    drafts: tuple[TransactionDraft, ...] = ()
    fired: tuple[RuleMatch, ...] = ()


class Duplicate(Struct, frozen=True, kw_only=True):
    """The row was imported before: `of` is its transaction, None if that was deleted or is of this file."""

    outcome: ClassVar[str] = "duplicate"
    why: str
    of: int | None = None


class Linked(Struct, frozen=True, kw_only=True):
    """The row is the existing transaction `of`."""

    outcome: ClassVar[str] = "linked"
    why: str
    of: int


class Paired(Struct, frozen=True, kw_only=True):
    """The row is the other half of the transaction `of`, which becomes a transfer if `becomes_transfer`; or of the row
    at index `partner` of the same plan, which the file numbers `partner_row`.
    """

    outcome: ClassVar[str] = "paired"
    why: str
    of: int | None = None
    becomes_transfer: bool = False
    partner: int | None = None
    partner_row: int | None = None


class Skipped(Struct, frozen=True, kw_only=True):
    """The row is skipped. `is_remarked`: the user's decision could not be followed, so the report says why."""

    outcome: ClassVar[str] = "skipped"
    why: str
    is_remarked: bool = False


class Rejected(Struct, frozen=True, kw_only=True):
    """The row cannot be booked."""

    outcome: ClassVar[str] = "rejected"
    why: str
    field: str | None = None


Verdict = New | Duplicate | Linked | Paired | Skipped | Rejected
_NEW = New()


class PlannedRow(Struct, frozen=True, kw_only=True):
    """`was_deleted`: a transaction that it became before was deleted. `offers`: typed transactions that it may be."""

    settled: SettledRow
    verdict: Verdict = _NEW
    was_deleted: bool = False
    offers: tuple[LinkOffer, ...] = ()


def find_entry_id(verdict: Verdict) -> int | None:
    """Returns the transaction that a row matches or joins."""
    return verdict.of if isinstance(verdict, Duplicate | Linked | Paired) else None


Rows = list[PlannedRow]
# By currency and units, in either currency of a transaction.
_ByAmount = Mapping[tuple[int | None, int | None], Sequence[NearEntry]]


def count(rows: Sequence[PlannedRow], unbooked: int = 0) -> ImportCounts:
    """Counts rows by outcome. Halves of transfers count as linked, because they become no transaction of their own."""
    outcomes = Counter(row.verdict.outcome for row in rows)
    return ImportCounts(
        read=len(rows),
        new=outcomes["new"] - unbooked,
        duplicate=outcomes["duplicate"],
        linked=outcomes["linked"] + outcomes["paired"],
        rejected=outcomes["skipped"] + outcomes["rejected"] + unbooked,
    )


def recognize(
    settled: Sequence[SettledRow], imported: Mapping[tuple[int, str], Sequence[ImportedRow]], options: ImportOptions
) -> Rows:
    """Finds the rows that were imported before, or that the file repeats."""
    first: dict[tuple[int, str], SettledRow] = {}
    rows = []
    for row in settled:
        key = row.account.id, row.key
        before = _find_same(row, imported.get(key, ()))
        earlier = first.get(key)
        if before and before.is_there:
            verdict = Duplicate(of=before.entry_id, why="It was imported before.")
            rows.append(PlannedRow(settled=row, verdict=verdict))
        elif before and options.deleted == DeletedRows.SKIP:
            rows.append(PlannedRow(settled=row, verdict=_DELETED, was_deleted=True))
        elif earlier and abs(earlier.row.on - row.row.on) <= SAME_ID:
            rows.append(PlannedRow(settled=row, verdict=Duplicate(why=_say_repeated(row, earlier))))
        else:
            rows.append(PlannedRow(settled=row, was_deleted=before is not None))
            first[key] = row
    return rows


_DELETED = Duplicate(
    why="It was imported before, and its transaction was deleted: import with deleted=again to get it back."
)


def _find_same(row: SettledRow, imported: Sequence[ImportedRow]) -> ImportedRow | None:
    """Prefers a row whose transaction still exists."""
    near = [before for before in imported if not row.row.bank_id or abs(before.on - row.row.on) <= SAME_ID]
    return max(near, key=lambda before: before.is_there, default=None)


def _say_repeated(row: SettledRow, earlier: SettledRow) -> str:
    if row.row.bank_id:
        return f"The file repeats row {earlier.row.row}: the bank's id and the amount are the same."
    return f"It is the same as row {earlier.row.row}, in a file before this one."


def match_stored(rows: Rows, own: OwnAccounts, near: Sequence[NearEntry]) -> Rows:
    """Finds stored halves of transfers, then typed transactions for the remaining rows."""
    by_amount: dict[tuple[int | None, int | None], list[NearEntry]] = defaultdict(list)
    for entry in near:
        by_amount[entry.currency_id, entry.units].append(entry)
        if entry.foreign_units:
            by_amount[entry.foreign_currency_id, entry.foreign_units].append(entry)
    if not by_amount:
        return rows
    pairs = _choose_pairs(rows, own, by_amount)
    used = {entry.entry_id for entry in pairs.values()}
    matched = []
    for index, row in enumerate(rows):
        if index in pairs:
            row = replace(row, verdict=_pair(pairs[index], own))
        elif _may_match(row) and (offers := _find_offers(row.settled, by_amount, used)):
            row = replace(row, offers=offers)
        matched.append(row)
    return matched


def _may_match(row: PlannedRow) -> bool:
    return isinstance(row.verdict, New) and not row.settled.row.splits


def _choose_pairs(rows: Rows, own: OwnAccounts, by_amount: _ByAmount) -> dict[int, NearEntry]:
    """Chooses transactions by the index of the row; the most certain pairs are chosen first."""
    possible = [
        (-likeness, abs(entry.on - row.settled.row.on), index, entry)
        for index, row in enumerate(rows)
        if _may_match(row)
        for money in (row.settled.money, row.settled.foreign)
        if money
        for entry in by_amount.get((money.currency.id, money.units), ())
        if (likeness := find_likeness(row.settled, entry, own))
    ]
    chosen: dict[int, NearEntry] = {}
    used: set[int] = set()
    for _, _, index, entry in sorted(possible, key=lambda match: match[:3]):
        if index not in chosen and entry.entry_id not in used:
            chosen[index] = entry
            used.add(entry.entry_id)
    return chosen


def _pair(entry: NearEntry, own: OwnAccounts) -> Paired:
    if half := half_of_entry(entry, own):
        why = f"It is the other half of a row that was imported for “{half.account.name}”: together a transfer."
        return Paired(of=entry.entry_id, becomes_transfer=True, why=why)
    return Paired(of=entry.entry_id, why="It is the other half of a transfer that was imported before.")


def _find_offers(row: SettledRow, by_amount: _ByAmount, used: set[int]) -> tuple[LinkOffer, ...]:
    """Finds transactions that somebody typed, or a recurrence made, and that match the row; the best comes first."""
    same = by_amount.get((row.money.currency.id, row.money.units), ())
    offers = (offer(row, entry) for entry in same if entry.entry_id not in used and _may_be_typed(row, entry))
    return tuple(sorted(offers, key=lambda option: -option.score))


def _may_be_typed(row: SettledRow, entry: NearEntry) -> bool:
    is_free = not entry.imported_for and not entry.reconciled
    return is_free and is_near(row, entry) and is_on_its_side(row, entry)


def count_offers(rows: Rows) -> Mapping[int, int]:
    """Counts by transaction how many rows may match it."""
    return Counter(option.entry.entry_id for row in rows for option in row.offers)


def decide(
    rows: Rows,
    own: OwnAccounts,
    near: Sequence[NearEntry],
    options: ImportOptions,
    offer_counts: Mapping[int, int] | None,
) -> Rows:
    """Decides what `recognize` left open. `offer_counts` counts offers in the whole file, if these rows are a part of
    it.
    """
    rows = match_stored(rows, own, near)
    if options.link == LinkRows.SURE:
        rows = _link_sure(rows, count_offers(rows) if offer_counts is None else offer_counts)
    return _pair_rows(_apply_decisions(rows, options.rows), own)


def _link_sure(rows: Rows, offer_counts: Mapping[int, int]) -> Rows:
    """Links only where one row fits one transaction, and neither fits another."""
    return [
        replace(row, verdict=Linked(of=row.offers[0].entry.entry_id, why=row.offers[0].reason))
        if len(row.offers) == 1 and offer_counts.get(row.offers[0].entry.entry_id, 0) <= 1
        else row
        for row in rows
    ]


def _apply_decisions(rows: Rows, decisions: Mapping[str, str]) -> Rows:
    """Does what the user has decided about single rows."""
    if not decisions:
        return rows
    return [
        replace(row, verdict=_follow(row, decision)) if (decision := decisions.get(str(row.settled.row.row))) else row
        for row in rows
    ]


def _follow(row: PlannedRow, decision: str) -> Verdict:
    word, _, split_id = decision.partition(":")
    if word == "skip":
        return Skipped(why="Skipped, as you asked.")
    if word == "new":
        return New(why="New, as you asked.", is_asked=True)
    if word != "link":
        return row.verdict
    if fitting := next(
        (option for option in row.offers if not split_id or str(option.entry.split_id) == split_id), None
    ):
        return Linked(of=fitting.entry.entry_id, why="Linked, as you asked.")
    if not isinstance(row.verdict, New):
        return row.verdict
    which = f"transaction {split_id[:20]}" if split_id else "a transaction"
    why = f"You asked to link it to {which}, but none matches the amount and day. It is skipped."
    return Skipped(why=why, is_remarked=True)


def _pair_rows(rows: Rows, own: OwnAccounts) -> Rows:
    """Pairs new rows of two accounts, as they come in a file of several accounts."""
    waiting: dict[tuple[int, int, bool], list[int]] = defaultdict(list)
    paired = list(rows)
    for index, row in enumerate(rows):
        if not _may_pair(row):
            continue
        money, outgoing = row.settled.money, row.settled.outgoing
        others = waiting.get((money.currency.id, money.units, not outgoing), [])
        partner = next((other for other in others if _are_a_transfer(rows[other].settled, row.settled, own)), None)
        if partner is None:
            waiting[money.currency.id, money.units, outgoing].append(index)
            continue
        others.remove(partner)
        number = rows[partner].settled.row.row
        why = f"It is the other half of row {number}: together a transfer."
        paired[partner] = replace(rows[partner], verdict=New(transfer_to=row.settled.account))
        paired[index] = replace(row, verdict=Paired(partner=partner, partner_row=number, why=why))
    return paired


def _may_pair(row: PlannedRow) -> bool:
    is_open = isinstance(row.verdict, New) and not row.verdict.is_asked
    return is_open and not row.settled.row.splits and not row.offers


def _are_a_transfer(first: SettledRow, second: SettledRow, own: OwnAccounts) -> bool:
    if first.account.currency != second.account.currency:
        return False
    likeness = compare_halves(half_of_row(first), half_of_row(second), own)
    return likeness is not None and abs(first.row.on - second.row.on) <= (
        NEAR_NAMED if likeness == Likeness.NAMED else NEAR
    )


def list_remarks(rows: Rows) -> list[Finding]:
    """Lists what the user should check, which excludes rows that were imported before."""
    remarks = []
    for row in rows:
        verdict, number = row.verdict, row.settled.row.row
        is_deleted = isinstance(verdict, Duplicate) and row.was_deleted
        if is_deleted or (isinstance(verdict, Skipped) and verdict.is_remarked):
            remarks.append(Finding(row=number, message=verdict.why))
        elif isinstance(verdict, New) and row.offers:
            best = row.offers[0]
            sentence = f"It may be the transaction {best.entry.split_id}, “{best.entry.text[:80]}”. {best.reason}"
            remarks.append(Finding(row=number, message=sentence))
    return remarks
