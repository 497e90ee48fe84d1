"""Which transactions pay which bill? Tried whenever either of them is made or changed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..ledger.entry import Entry
from ..ledger.kinds import Type
from ..money import UNITS_MAX
from ..storage.unit import Unit
from ..transactions import lines, links
from ..transactions.model import Line
from . import store
from .matching import Candidate, candidate, candidate_of, first_paid, judge
from .model import Bill

BATCH = 500


def with_bills(db: Unit, user_id: int, entries: Sequence[Entry]) -> list[Entry]:
    """Each entry with the bill it pays; one query, however many bills and entries. A hand's decision stays."""
    found = {place: candidate(one) for place, one in enumerate(entries) if _may_pay(one)}
    # Splits together may be more than any bill can ask for, and more than the database can hold: that is told later.
    units = [min(units, UNITS_MAX) for one in found.values() for units in one.units.values()]
    if not units:
        return list(entries)
    currency_ids = {currency_id for one in found.values() for currency_id in one.units}
    bills = store.that_may_fit(db, user_id, currency_ids, units)
    return [
        replace(entry, bill_id=_first(bills, found[place])) if place in found else entry
        for place, entry in enumerate(entries)
    ]


def _may_pay(entry: Entry) -> bool:
    return entry.type == Type.WITHDRAWAL and not entry.bill_by_hand


def _first(bills: Sequence[Bill], one: Candidate) -> int | None:
    bill = first_paid(bills, one)
    return bill.id if bill else None


def claim(db: Unit, user_id: int, bill: Bill, now: str) -> int:
    """Links the unlinked transactions that pay this bill, batch by batch; returns how many there were."""
    claimed = 0
    after = (0, 0)
    while bill.active and bill.automatch:
        batch = links.unlinked_between(
            db,
            user_id,
            bill.currency.id,
            lowest=bill.lowest_units,
            highest=bill.highest_units,
            after=after,
            limit=BATCH,
        )
        claimed += _claim_batch(db, user_id, bill, [entry_id for _, entry_id in batch], now)
        if len(batch) < BATCH:
            break
        after = batch[-1]
    return claimed


def _claim_batch(db: Unit, user_id: int, bill: Bill, entry_ids: list[int], now: str) -> int:
    paying = [
        entry_id
        for entry_id, one in _candidates(lines.of_entries(db, user_id, entry_ids)).items()
        if judge(bill, one).pays
    ]
    if paying:
        links.link(db, user_id, paying, bill.id, now)
    return len(paying)


def _candidates(of: Sequence[Line]) -> dict[int, Candidate]:
    by_entry: dict[int, list[Line]] = {}
    for line in of:
        by_entry.setdefault(line.entry_id, []).append(line)
    return {entry_id: candidate_of(splits) for entry_id, splits in by_entry.items()}


@dataclass(frozen=True)
class Seen:
    """A transaction beside a bill: linked or not, and why."""

    lines: tuple[Line, ...]
    linked: bool
    why: str


def explained(bill: Bill, of: Sequence[Line]) -> list[Seen]:
    """Linked ones and near misses: all words but another amount, or the amount and some of the words."""
    by_entry: dict[int, list[Line]] = {}
    for line in of:
        by_entry.setdefault(line.entry_id, []).append(line)
    found = []
    for splits in by_entry.values():
        verdict = judge(bill, candidate_of(splits))
        linked = splits[0].bill_id == bill.id
        if linked or verdict.near:
            found.append(Seen(tuple(splits), linked, _why(bill, splits[0], verdict.why, verdict.pays)))
    return found


def _why(bill: Bill, line: Line, why: str, pays: bool) -> str:
    if line.bill_id == bill.id:
        return why if pays else f"linked by hand: {why}" if line.bill_by_hand else f"linked earlier: {why}"
    if line.bill_id:
        return f"pays '{line.bill_name}' already; {why}"
    if pays:
        return f"unlinked by hand; {why}" if line.bill_by_hand else f"{why}, but {_not_tried(bill)}"
    return why


def _not_tried(bill: Bill) -> str:
    return "the bill is not active" if not bill.active else "the bill does not match by itself"
