"""Books what a plan says, a batch of rows in one unit of work."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from farthing.books.bookkeeping import record
from farthing.books.bookkeeping.halving import try_by_halves
from farthing.kernel.errors import Invalid
from farthing.storage.unit import Unit

from ..findings import Finding
from . import imported_rows, made_objects, transfer_conversion, verdicts
from .imported_rows import ImportedRowDraft, StoredOutcome
from .options import ImportCounts
from .plan import ImportPlan
from .verdicts import Linked, New, Paired, PlannedRow

PlacedRow = tuple[int, PlannedRow]  # with its place in the plan


class BookedRows(Struct, frozen=True, kw_only=True):
    counts: ImportCounts
    findings: tuple[Finding, ...] = ()


def book(db: Unit, user_id: int, job_id: int, plan: ImportPlan, now: str, *, partial: bool) -> BookedRows:
    """Raises Invalid for what cannot be booked, unless `partial`: then it is a finding."""
    again = [row.settled for row in plan.rows if row.was_deleted and isinstance(row.verdict, New)]
    if again:
        imported_rows.forget_gone(db, user_id, again)
    booking = _Booking(db, user_id, record.EntryMaker(db, user_id, plan.references, now), now)
    entry_ids: dict[int, list[int]] = {}
    findings: list[Finding] = []
    for (index, row), outcome in booking.book(_list_new(plan.rows), partial=partial):
        if isinstance(outcome, Invalid):
            sentence = outcome.sentences
            findings.append(Finding(row=row.settled.row.row, field="amount", message=sentence, rejects=True))
        else:
            entry_ids[index] = outcome
    befores = _make_transfers(db, user_id, plan.rows, now)
    imported_rows.add(db, user_id, job_id, list(_list_imported(plan.rows, entry_ids, befores)))
    made_objects.add_made(db, user_id, job_id, booking.maker.made)
    counts = verdicts.count(plan.rows, len(findings))
    return BookedRows(counts=counts, findings=(*findings, *verdicts.list_remarks(plan.rows)))


def _list_new(rows: Sequence[PlannedRow]) -> list[PlacedRow]:
    return [(index, row) for index, row in enumerate(rows) if isinstance(row.verdict, New)]


class _Booking:
    """Books new rows. `maker` creates what they name, and knows what the booked ones have created."""

    def __init__(self, db: Unit, user_id: int, maker: record.EntryMaker, now: str) -> None:
        self._db = db
        self._user_id = user_id
        self._now = now
        self.maker = maker

    def book(self, rows: Sequence[PlacedRow], *, partial: bool) -> Iterable[tuple[PlacedRow, list[int] | Invalid]]:
        """Returns the ids of each row's entries or, if `partial`, why it could not be booked."""
        return try_by_halves(rows, self._record) if partial else zip(rows, self._record(rows), strict=True)

    def _record(self, rows: Sequence[PlacedRow]) -> list[list[int]]:
        maker = self.maker.copy()
        drafts = [row.verdict.drafts for _, row in rows if isinstance(row.verdict, New)]
        with self._db.savepoint():
            entries = [maker.entry(draft) for of_row in drafts for draft in of_row]
            made = iter(record.record_all(self._db, self._user_id, entries, self._now, amount_field="amount"))
        self.maker = maker
        return [[next(made) for _ in of_row] for of_row in drafts]


def _make_transfers(db: Unit, user_id: int, rows: Sequence[PlannedRow], now: str) -> dict[int, str]:
    others = {
        row.verdict.of: row.settled
        for row in rows
        if isinstance(row.verdict, Paired) and row.verdict.becomes_transfer and row.verdict.of
    }
    return transfer_conversion.become_transfers(db, user_id, others, now) if others else {}


def _list_imported(
    rows: Sequence[PlannedRow], entry_ids: Mapping[int, Sequence[int]], befores: Mapping[int, str]
) -> Iterator[ImportedRowDraft]:
    for index, row in enumerate(rows):
        match row.verdict:
            case New():
                yield from (_draft(row, "new", entry_id) for entry_id in entry_ids.get(index, ()))
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
