"""Shows what an import would do, row by row; stores nothing."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from farthing.books.bills import matching
from farthing.books.bills import store as bills
from farthing.books.bills.matching import Candidate
from farthing.books.currencies import store as currencies
from farthing.books.transactions.model import TransactionDraft
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ..findings import Finding
from ..rows import own_accounts, plan
from ..rows.options import ImportCounts, ImportOptions
from ..rows.plan import PlannedRow
from ..rows.settle import SettledRow, Settler
from ..takeover import preview as takeover
from ..takeover.first_books import ReadBooks
from ..takeover.preview import BooksRow
from .first_rows import ReadFile
from .model import ImportJob


class PreviewRow(Struct, frozen=True, kw_only=True):
    """A row with what would become of it, or why it is rejected. `bill_id`: the bill that it would pay.

    `booked` is a transaction of another program's books.
    """

    number: int
    planned: PlannedRow | None = None
    finding: Finding | None = None
    bill_id: int | None = None
    booked: BooksRow | None = None


class Preview(Struct, frozen=True, kw_only=True):
    rows: list[PreviewRow]
    total: int
    counts: ImportCounts
    remarks: tuple[Finding, ...]
    is_whole: bool
    # Of another program, by key.
    account_names: Mapping[str, str] = {}


def make(
    db: Unit, user_id: int, job: ImportJob, options: ImportOptions, file: ReadFile, *, offset: int, limit: int
) -> Preview:
    if file.books:
        return _make_of_books(db, user_id, file.books, is_whole=file.is_whole, offset=offset, limit=limit)
    own = own_accounts.load(db, user_id)
    items = list(Settler(own, job.account_id, currencies.all_coded(db)).settle(file.parts))
    numbered = [one for one in items if isinstance(one, SettledRow) or one.rejects]
    settled = [one for one in numbered if isinstance(one, SettledRow)]
    shown = numbered[offset : offset + limit]
    first = sum(isinstance(one, SettledRow) for one in numbered[:offset])
    last = first + sum(isinstance(one, SettledRow) for one in shown)
    planned = plan.make(db, user_id, own, options, settled, composed=range(first, last)).rows
    remarks = [one for one in items if isinstance(one, Finding) and not one.rejects]
    if file.failure:
        remarks.append(Finding(message=file.failure, rejects=True))
    return Preview(
        rows=_rows(db, user_id, shown, planned[first:last]),
        total=len(numbered),
        counts=plan.count(planned).plus(_rejected(len(numbered) - len(settled))),
        remarks=tuple(remarks),
        is_whole=file.is_whole,
    )


def _make_of_books(db: Unit, user_id: int, books: ReadBooks, *, is_whole: bool, offset: int, limit: int) -> Preview:
    rows = takeover.make(db, user_id, books)
    wrong, known = sum(bool(one.problem) for one in rows), sum(one.is_known for one in rows)
    return Preview(
        rows=[PreviewRow(number=one.transaction.row or 0, booked=one) for one in rows[offset : offset + limit]],
        total=len(rows),
        counts=ImportCounts(read=len(rows), new=len(rows) - known - wrong, duplicate=known, rejected=wrong),
        remarks=books.findings,
        is_whole=is_whole,
        account_names=books.accounts,
    )


def _rejected(count: int) -> ImportCounts:
    return ImportCounts(read=count, rejected=count)


def _rows(
    db: Unit, user_id: int, shown: Sequence[SettledRow | Finding], planned: Sequence[PlannedRow]
) -> list[PreviewRow]:
    paid = _find_bills(db, user_id, planned)
    of_row = iter(zip(planned, paid, strict=True))
    found = []
    for one in shown:
        if isinstance(one, Finding):
            found.append(PreviewRow(number=one.row or 0, finding=one))
        else:
            row, bill_id = next(of_row)
            found.append(PreviewRow(number=one.row.row, planned=row, bill_id=bill_id))
    return found


def _find_bills(db: Unit, user_id: int, planned: Sequence[PlannedRow]) -> list[int | None]:
    """The bill that each would pay; one query."""
    found = [_candidate(one.drafts[0]) if one.drafts else None for one in planned]
    paying = [one for one in found if one and one.type == Type.WITHDRAWAL]
    if not paying:
        return [None] * len(planned)
    units = [units for one in paying for units in one.units.values()]
    criteria = bills.find_candidates(db, user_id, {key for one in paying for key in one.units}, units, None)
    return [
        row.drafts[0].bill_id or matching.find_paid_bill(criteria, one) if one else None
        for row, one in zip(planned, found, strict=True)
    ]


def _candidate(draft: TransactionDraft) -> Candidate:
    """What bills look at, before anything has an id."""
    units: dict[int, int] = {}
    texts = [draft.description]
    for split in draft.splits:
        texts += [split.description or "", split.source.name, split.destination.name]
        for money in (split.amount, split.foreign):
            if money:
                units[money.currency.id] = units.get(money.currency.id, 0) + money.units
    return Candidate(type=draft.type, text=matching.join_texts(texts), units=units)
