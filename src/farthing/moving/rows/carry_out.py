"""Books what a plan says, some rows at a time, in one unit of work."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from farthing.books.bookkeeping import record
from farthing.kernel.errors import Invalid
from farthing.storage.unit import Unit

from ..findings import Finding
from . import memory, objects, transfers
from .memory import RowMemory, StoredOutcome
from .options import ImportCounts
from .plan import Plan, PlannedRow, RowOutcome, count


class BookedRows(Struct, frozen=True, kw_only=True):
    counts: ImportCounts
    findings: tuple[Finding, ...] = ()


def carry_out(db: Unit, user_id: int, job_id: int, plan: Plan, now: str, *, partial: bool) -> BookedRows:
    """Raises Invalid for what cannot be booked, unless `partial`: then it is a finding."""
    again = [one.settled for one in plan.rows if one.was_deleted and one.outcome == RowOutcome.NEW]
    if again:
        memory.forget_gone(db, user_id, again)
    booking = _Booking(db, user_id, record.EntryMaker(db, user_id, plan.known, now), now)
    booking.book([place for place, one in enumerate(plan.rows) if one.outcome == RowOutcome.NEW], plan.rows, partial)
    befores = _pair(db, user_id, plan.rows, now)
    memory.add(db, user_id, job_id, _remember(plan.rows, booking.entry_ids, befores))
    objects.add_made(db, user_id, job_id, booking.maker.made)
    findings = (*booking.findings, *_remarks(plan.rows))
    unbooked = len(booking.findings)
    counts = count(plan.rows).plus(ImportCounts(new=-unbooked, rejected=unbooked))
    return BookedRows(counts=counts, findings=findings)


class _Booking:
    """`entry_ids` are those of each row, by its place in the plan."""

    def __init__(self, db: Unit, user_id: int, maker: record.EntryMaker, now: str) -> None:
        self._db = db
        self._user_id = user_id
        self._now = now
        self.maker = maker
        self.entry_ids: dict[int, list[int]] = {}
        self.findings: list[Finding] = []

    def book(self, places: Sequence[int], planned: Sequence[PlannedRow], partial: bool) -> None:
        """All together; if that fails and may, each half on its own, down to the row at fault."""
        if not places:
            return
        maker = self.maker.copy()
        try:
            with self._db.savepoint():
                entries = [maker.entry(draft) for place in places for draft in planned[place].drafts]
                made = iter(record.record_all(self._db, self._user_id, entries, self._now, amount_field="amount"))
        except Invalid as refusal:
            if not partial:
                raise
            self._bisect(places, planned, refusal)
            return
        self.maker = maker
        self.entry_ids.update({place: [next(made) for _ in planned[place].drafts] for place in places})

    def _bisect(self, places: Sequence[int], planned: Sequence[PlannedRow], refusal: Invalid) -> None:
        if len(places) > 1:
            middle = len(places) // 2
            self.book(places[:middle], planned, partial=True)
            self.book(places[middle:], planned, partial=True)
            return
        row = planned[places[0]].settled.row.row
        sentence = refusal.sentences
        self.findings.append(Finding(row=row, field="amount", message=sentence, rejects=True))


def _pair(db: Unit, user_id: int, planned: Sequence[PlannedRow], now: str) -> dict[int, str]:
    others = {one.entry_id: one.settled for one in planned if one.pair and one.entry_id}
    return transfers.become_transfers(db, user_id, others, now) if others else {}


def _remember(
    planned: Sequence[PlannedRow], entry_ids: Mapping[int, Sequence[int]], befores: Mapping[int, str]
) -> Iterator[RowMemory]:
    for place, one in enumerate(planned):
        match one.outcome:
            case RowOutcome.NEW:
                yield from (_memory(one, "new", entry_id) for entry_id in entry_ids.get(place, ()))
            case RowOutcome.LINKED if one.entry_id:
                yield _memory(one, "linked", one.entry_id)
            case RowOutcome.PAIRED if one.entry_id:
                yield _memory(one, "paired", one.entry_id, befores.get(one.entry_id))
            case RowOutcome.PAIRED if one.partner is not None:
                yield from (_memory(one, "paired", entry_id) for entry_id in entry_ids.get(one.partner, ()))


def _memory(one: PlannedRow, outcome: StoredOutcome, entry_id: int, before: str | None = None) -> RowMemory:
    settled = one.settled
    return RowMemory(
        account_id=settled.account.id,
        row=settled.row.row,
        on=settled.row.on,
        key=settled.key,
        outcome=outcome,
        entry_id=entry_id,
        before=before,
    )


def _remarks(planned: Sequence[PlannedRow]) -> Iterator[Finding]:
    """What the user should look at; that a row was imported before is no surprise."""
    for one in planned:
        row = one.settled.row.row
        if (one.outcome == RowOutcome.DUPLICATE and one.was_deleted) or one.is_unlinkable:
            yield Finding(row=row, message=one.why)
        elif one.outcome == RowOutcome.NEW and one.offers:
            best = one.offers[0]
            sentence = f"It may be the transaction {best.entry.split_id}, “{best.entry.text[:80]}”. {best.reason}"
            yield Finding(row=row, message=sentence)
