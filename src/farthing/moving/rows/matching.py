"""Decides which rows are duplicates, match stored transactions or are halves of transfers, and obeys the user's
decisions.

Each stage takes the rows from the previous stage, and returns them with their verdicts. Has no side effects.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from farthing.kernel.text import fold, pluralize

from .imported_rows import ImportedRow
from .near_transactions import NearEntry
from .options import DeletedRows, ImportOptions, LinkRows
from .own_accounts import OwnAccounts
from .settle import SAME_ID, SettledRow
from .transfer_halves import compare_halves, find_likeness, half_of_entry, half_of_row, is_near, is_on_its_side
from .verdicts import Duplicate, Linked, LinkOffer, New, Paired, PlannedRow, Rows, Skipped, Verdict

_WORD = re.compile(r"\w+")
# Transactions by currency id and units. One with a foreign amount is listed under both of its amounts.
_ByAmount = dict[tuple[int | None, int | None], list[NearEntry]]
_DELETED_WHY = "It was imported before, and its transaction was deleted: import with deleted=again to get it back."
_DELETED = Duplicate(why=_DELETED_WHY)


def find_duplicates(
    settled: Sequence[SettledRow], imported: Mapping[tuple[int, str], Sequence[ImportedRow]], options: ImportOptions
) -> Rows:
    """Returns all rows. Those that were imported before, or that repeat an earlier row, are marked as duplicates."""
    first: dict[tuple[int, str], SettledRow] = {}
    rows = []
    for row in settled:
        key = row.account.id, row.key
        near = [was for was in imported.get(key, ()) if not row.row.bank_id or abs(was.on - row.row.on) <= SAME_ID]
        before = max(near, key=lambda was: was.is_there, default=None)
        earlier = first.get(key)
        if before and before.is_there:
            verdict = Duplicate(of=before.entry_id, why="It was imported before.")
            rows.append(PlannedRow(settled=row, verdict=verdict))
        elif before and options.deleted == DeletedRows.SKIP:
            rows.append(PlannedRow(settled=row, verdict=_DELETED, was_deleted=True))
        elif earlier and abs(earlier.row.on - row.row.on) <= SAME_ID:
            file = ", which is in an earlier file of this import."
            why = ": the bank's id and the amount are the same." if row.row.bank_id else file
            rows.append(PlannedRow(settled=row, verdict=Duplicate(why=f"It repeats row {earlier.row.row}{why}")))
        else:
            rows.append(PlannedRow(settled=row, was_deleted=before is not None))
            first[key] = row
    return rows


def match_stored(rows: Rows, own: OwnAccounts, near: Sequence[NearEntry]) -> Rows:
    """Finds the stored other halves of transfers and, for all remaining rows, transactions entered by hand."""
    if not near:
        return rows
    by_amount: _ByAmount = defaultdict(list)
    for entry in near:
        by_amount[entry.amount].append(entry)
        by_amount[entry.foreign_amount].append(entry)
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
    """Chooses the stored other half for each row, the most certain pairs first. Returns them by row index."""
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
        which = f"a row that was imported for “{half.account.name}”"
        why = f"It is the other half of {which}: together, they are a transfer."
        return Paired(of=entry.entry_id, becomes_transfer=True, why=why)
    return Paired(of=entry.entry_id, why="It is the other half of a transfer that was imported before.")


def _find_offers(row: SettledRow, by_amount: _ByAmount, used: set[int]) -> tuple[LinkOffer, ...]:
    """Finds transactions, entered by hand or made by a recurrence, that match the row, the best match first."""
    same = by_amount.get(row.amount, ())
    offers = (_offer(row, entry) for entry in same if entry.entry_id not in used and _may_be_typed(row, entry))
    return tuple(sorted(offers, key=lambda option: -option.score))


def _may_be_typed(row: SettledRow, entry: NearEntry) -> bool:
    is_free = not entry.imported_for and not entry.reconciled
    return is_free and is_near(row, entry) and is_on_its_side(row, entry)


def count_offers(rows: Rows) -> Mapping[int, int]:
    """Counts, for each transaction, how many rows may match it."""
    return Counter(option.entry.entry_id for row in rows for option in row.offers)


def decide(
    rows: Rows, own: OwnAccounts, near: list[NearEntry], options: ImportOptions, offer_counts: Mapping[int, int] | None
) -> Rows:
    """Decides about rows that are no duplicates. If these rows are only a part of a file, `offer_counts` must cover the
    whole file.
    """
    rows = match_stored(rows, own, near)
    if options.link == LinkRows.SURE:
        counts = count_offers(rows) if offer_counts is None else offer_counts
        # A row is linked to a transaction only if neither of them matches anything else.
        rows = [
            replace(row, verdict=Linked(of=row.offers[0].entry.entry_id, why=row.offers[0].reason))
            if len(row.offers) == 1 and counts.get(row.offers[0].entry.entry_id, 0) <= 1
            else row
            for row in rows
        ]
    decided = [
        replace(row, verdict=_follow(row, decision))
        if (decision := options.rows.get(str(row.settled.row.row)))
        else row
        for row in rows
    ]
    return _pair_rows(decided, own)


def _follow(row: PlannedRow, decision: str) -> Verdict:
    word, _, split_id = decision.partition(":")
    if word == "skip":
        return Skipped(why="Skipped, as you asked.")
    if word == "new":
        return New(why="New, as you asked.", is_asked=True)
    if word != "link":
        return row.verdict
    offers = (option for option in row.offers if not split_id or str(option.entry.split_id) == split_id)
    if fitting := next(offers, None):
        return Linked(of=fitting.entry.entry_id, why="Linked, as you asked.")
    if not isinstance(row.verdict, New):
        return row.verdict
    which = f"transaction {split_id[:20]}" if split_id else "a transaction"
    why = f"It is skipped: it cannot be linked to {which} as you asked, because the amount or the day does not match."
    return Skipped(why=why, is_remarked=True)


def _pair_rows(rows: Rows, own: OwnAccounts) -> Rows:
    """Pairs new rows that are the two halves of a transfer, as in a file with several accounts."""
    waiting: dict[tuple[int, int, bool], list[int]] = defaultdict(list)
    paired = list(rows)
    for index, row in enumerate(rows):
        is_open = isinstance(row.verdict, New) and not row.verdict.is_asked
        if not is_open or row.settled.row.splits or row.offers:
            continue
        money, outgoing = row.settled.money, row.settled.outgoing
        others = waiting.get((money.currency.id, money.units, not outgoing), [])
        partner = next((other for other in others if _are_a_transfer(rows[other].settled, row.settled, own)), None)
        if partner is None:
            waiting[money.currency.id, money.units, outgoing].append(index)
            continue
        others.remove(partner)
        number = rows[partner].settled.row.row
        why = f"It is the other half of row {number}: together, they are a transfer."
        paired[partner] = replace(rows[partner], verdict=New(transfer_to=row.settled.account))
        paired[index] = replace(row, verdict=Paired(partner=partner, partner_row=number, why=why))
    return paired


def _are_a_transfer(first: SettledRow, second: SettledRow, own: OwnAccounts) -> bool:
    if first.account.currency != second.account.currency:
        return False
    likeness = compare_halves(half_of_row(first), half_of_row(second), own)
    return likeness is not None and abs(first.row.on - second.row.on) <= likeness.reach


def _offer(settled: SettledRow, entry: NearEntry) -> LinkOffer:
    days = abs((entry.on - settled.row.on).days)
    row_words = set(_WORD.findall(fold(f"{settled.row.payee or ''} {settled.row.description}")))
    other = entry.destination_name if settled.outgoing else entry.source_name
    shared = row_words & set(_WORD.findall(fold(f"{entry.text} {other}")))
    score = 70 - 10 * days + (30 if shared else 0)
    same = "The splits add up to the same amount, " if entry.is_split else "The same amount, "
    reason = same + ("on the same day" if not days else f"{pluralize(days, 'day')} apart")
    return LinkOffer(entry=entry, score=score, reason=reason + (", with words in common." if shared else "."))
