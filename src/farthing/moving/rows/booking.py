"""Carries out an import plan: books a batch of rows in one unit of work."""

from collections.abc import Iterator, Mapping, Sequence

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

PlacedRow = tuple[int, PlannedRow]  # the index in the plan, and the row
BookedRows = tuple[ImportCounts, list[Finding]]  # by outcome, and what to report


def book(db: Unit, user_id: int, job_id: int, plan: ImportPlan, now: str, *, partial: bool) -> BookedRows:
    """Books the rows of a plan. If a row cannot be booked, raises Invalid or, if `partial`, reports it."""
    again = [row.settled for row in plan.rows if row.was_deleted and isinstance(row.verdict, New)]
    if again:
        imported_rows.forget_gone(db, user_id, again)
    new = [(index, row) for index, row in enumerate(plan.rows) if isinstance(row.verdict, New)]
    booker = _Booker(db=db, user_id=user_id, now=now, maker=record.EntryMaker(db, user_id, plan.references, now))
    entry_ids: dict[int, list[int]] = {}
    findings: list[Finding] = []
    outcomes = try_by_halves(new, booker.record) if partial else zip(new, booker.record(new), strict=True)
    for (index, row), outcome in outcomes:
        if isinstance(outcome, Invalid):
            sentence = outcome.sentences
            findings.append(Finding(row=row.settled.row.row, field="amount", message=sentence, rejects=True))
        else:
            entry_ids[index] = outcome
    halves = ((row.verdict, row.settled) for row in plan.rows if isinstance(row.verdict, Paired))
    others = {paired.of: settled for paired, settled in halves if paired.becomes_transfer and paired.of}
    befores = transfer_conversion.become_transfers(db, user_id, others, now) if others else {}
    imported_rows.add(db, user_id, job_id, list(_list_imported(plan.rows, entry_ids, befores)))
    made_objects.add_made(db, user_id, job_id, booker.maker.made)
    return verdicts.count(plan.rows, len(findings)), [*findings, *verdicts.list_remarks(plan.rows)]


class _Booker(Struct, kw_only=True):
    """Books new rows. `maker` creates the accounts and labels that the rows name, and remembers what it has created."""

    db: Unit
    user_id: int
    now: str
    maker: record.EntryMaker

    def record(self, rows: Sequence[PlacedRow]) -> list[list[int]]:
        """Records the rows, and returns the ids of each row's entries. If this raises Invalid, nothing was recorded."""
        maker = self.maker.copy()
        drafts = [row.verdict.drafts for _, row in rows if isinstance(row.verdict, New)]
        with self.db.savepoint():
            entries = [maker.entry(draft) for of_row in drafts for draft in of_row]
            made = iter(record.record_all(self.db, self.user_id, entries, self.now, amount_field="amount"))
        self.maker = maker
        return [[next(made) for _ in of_row] for of_row in drafts]


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
