"""Books what a plan says, some rows at a time, in one unit of work."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from farthing.books.bookkeeping import record
from farthing.kernel.errors import Invalid
from farthing.storage.unit import Unit

from ..findings import Finding
from . import imported_rows, objects, transfers, verdicts
from .imported_rows import ImportedRowDraft, StoredOutcome
from .options import ImportCounts
from .plan import ImportPlan
from .verdicts import Linked, New, Paired, PlannedRow


class BookedRows(Struct, frozen=True, kw_only=True):
    counts: ImportCounts
    findings: tuple[Finding, ...] = ()


def book(db: Unit, user_id: int, job_id: int, plan: ImportPlan, now: str, *, partial: bool) -> BookedRows:
    """Raises Invalid for what cannot be booked, unless `partial`: then it is a finding."""
    again = [row.settled for row in plan.rows if row.was_deleted and isinstance(row.verdict, New)]
    if again:
        imported_rows.forget_gone(db, user_id, again)
    booking = _Booking(db, user_id, record.EntryMaker(db, user_id, plan.known, now), now)
    booking.book([(place, row) for place, row in enumerate(plan.rows) if isinstance(row.verdict, New)], partial)
    befores = _make_transfers(db, user_id, plan.rows, now)
    imported_rows.add(db, user_id, job_id, list(_list_imported(plan.rows, booking.entry_ids, befores)))
    objects.add_made(db, user_id, job_id, booking.maker.made)
    counts = verdicts.count(plan.rows, len(booking.findings))
    return BookedRows(counts=counts, findings=(*booking.findings, *verdicts.list_remarks(plan.rows)))


class _Booking:
    """`entry_ids` are those of each row, by its place in the plan."""

    def __init__(self, db: Unit, user_id: int, maker: record.EntryMaker, now: str) -> None:
        self._db = db
        self._user_id = user_id
        self._now = now
        self.maker = maker
        self.entry_ids: dict[int, list[int]] = {}
        self.findings: list[Finding] = []

    def book(self, rows: Sequence[tuple[int, PlannedRow]], partial: bool) -> None:
        """All together; if that fails and may, each half on its own, down to the row at fault."""
        if not rows:
            return
        maker = self.maker.copy()
        drafts = {place: row.verdict.drafts for place, row in rows if isinstance(row.verdict, New)}
        try:
            with self._db.savepoint():
                entries = [maker.entry(draft) for of_row in drafts.values() for draft in of_row]
                made = iter(record.record_all(self._db, self._user_id, entries, self._now, amount_field="amount"))
        except Invalid as refusal:
            if not partial:
                raise
            self._bisect(rows, refusal)
            return
        self.maker = maker
        self.entry_ids.update({place: [next(made) for _ in of_row] for place, of_row in drafts.items()})

    def _bisect(self, rows: Sequence[tuple[int, PlannedRow]], refusal: Invalid) -> None:
        if len(rows) > 1:
            middle = len(rows) // 2
            self.book(rows[:middle], partial=True)
            self.book(rows[middle:], partial=True)
            return
        [(_, row)] = rows
        self.findings.append(Finding(row=row.settled.row.row, field="amount", message=refusal.sentences, rejects=True))


def _make_transfers(db: Unit, user_id: int, rows: Sequence[PlannedRow], now: str) -> dict[int, str]:
    others = {
        row.verdict.of: row.settled
        for row in rows
        if isinstance(row.verdict, Paired) and row.verdict.becomes_transfer and row.verdict.of
    }
    return transfers.become_transfers(db, user_id, others, now) if others else {}


def _list_imported(
    rows: Sequence[PlannedRow], entry_ids: Mapping[int, Sequence[int]], befores: Mapping[int, str]
) -> Iterator[ImportedRowDraft]:
    for place, row in enumerate(rows):
        match row.verdict:
            case New():
                yield from (_draft(row, "new", entry_id) for entry_id in entry_ids.get(place, ()))
            case Linked(of=entry_id):
                yield _draft(row, "linked", entry_id)
            case Paired(of=int(entry_id)):
                yield _draft(row, "paired", entry_id, befores.get(entry_id))
            case Paired(partner=int(partner)):
                yield from (_draft(row, "paired", entry_id) for entry_id in entry_ids.get(partner, ()))


def _draft(row: PlannedRow, outcome: StoredOutcome, entry_id: int, before: str | None = None) -> ImportedRowDraft:
    settled = row.settled
    return ImportedRowDraft(
        account_id=settled.account.id,
        row=settled.row.row,
        on=settled.row.on,
        key=settled.key,
        outcome=outcome,
        entry_id=entry_id,
        before=before,
    )
