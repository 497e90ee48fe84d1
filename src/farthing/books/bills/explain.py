"""Explains to users why a transaction pays a bill, or why it does not."""

from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct

from farthing.storage.unit import Unit

from ..transactions import lines
from ..transactions.counts import Book, Days
from ..transactions.model import Line
from .matching import MatchVerdict, candidate_of, judge
from .model import Bill

# How many of the newest splits in a range to check for near misses, and how many linked splits to list.
LOOKED_AT_MAX = 2000


class BillMatch(Struct, frozen=True):
    """Compares a transaction with a bill: says whether the two are linked, and why."""

    lines: tuple[Line, ...]
    linked: bool
    why: str


def list_matches(db: Unit, book: Book, bill: Bill, days: Days, *, waits: bool) -> list[BillMatch]:
    """Lists the transactions of these days that are linked to the bill or nearly match it, newest first."""
    newest = lines.page(db, book, days, limit=LOOKED_AT_MAX, offset=0)
    linked = lines.of_owners(db, book.user_id, "bill_id", [bill.id], days, limit=LOOKED_AT_MAX)[bill.id]
    candidates = {line.id: line for line in (*_drop_incomplete(newest), *_drop_incomplete(linked))}
    ordered = sorted(candidates.values(), key=lambda line: (line.on, line.entry_id, -line.position), reverse=True)
    return explain(bill, ordered, waits=waits)


def _drop_incomplete(of: list[Line]) -> list[Line]:
    """Drops the last transaction if the limit may have cut off some of its splits, because its total would be wrong."""
    if len(of) < LOOKED_AT_MAX:
        return of
    return [line for line in of if line.entry_id != of[-1].entry_id]


def explain(bill: Bill, of: Sequence[Line], *, waits: bool) -> list[BillMatch]:
    """Compares transactions with a bill.

    `waits` says that the job that looks for the bill's payments has not finished yet.
    """
    matches = []
    for _, group in groupby(of, key=lambda line: line.entry_id):
        splits = tuple(group)
        verdict = judge(bill, candidate_of(splits))
        paid = splits[0].entry.bill
        if paid and paid.id == bill.id:
            matches.append(BillMatch(lines=splits, linked=True, why=_why_linked(splits[0], verdict)))
        elif verdict.near:
            matches.append(BillMatch(lines=splits, linked=False, why=_why_not(bill, splits[0], verdict, waits=waits)))
    return matches


def _why_linked(line: Line, verdict: MatchVerdict) -> str:
    if line.entry.bill_by_hand:
        return f"linked by hand; {verdict.why}"
    return verdict.why if verdict.pays else f"linked earlier; {verdict.why}"


def _why_not(bill: Bill, line: Line, verdict: MatchVerdict, *, waits: bool) -> str:
    if paid := line.entry.bill:
        return f"pays '{paid.name}' already; {verdict.why}"
    if not verdict.pays:
        return verdict.why
    if line.entry.bill_by_hand:
        return f"unlinked by hand; {verdict.why}"
    return f"{verdict.why}, but {_obstacle(bill, waits=waits)}"


def _obstacle(bill: Bill, *, waits: bool) -> str:
    if not bill.active:
        return "the bill is not active"
    if not bill.automatch:
        return "the bill does not match automatically"
    return "has not been linked yet" if waits else "has not been linked: save the bill or the transaction to link it"
