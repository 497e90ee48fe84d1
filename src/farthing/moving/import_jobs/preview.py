"""Shows what an import would do, row by row. Stores nothing."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from msgspec import Struct

from farthing.books.bills import matching
from farthing.books.bills import store as bills
from farthing.books.bills.matching import Candidate
from farthing.books.currencies import store as currencies
from farthing.books.transactions.model import TransactionDraft
from farthing.ledger.kinds import FLOWING, Kind, Type
from farthing.overviews.suggestions import suggest
from farthing.overviews.suggestions.model import Suggestion, SuggestionSubject
from farthing.storage.unit import Unit

from ..findings import Finding
from ..rows import own_accounts, plan, verdicts
from ..rows.options import ImportCounts, ImportOptions
from ..rows.settle import SettledRow, Settler
from ..rows.verdicts import Duplicate, LinkOffer, New, PlannedRow, Rejected, Verdict
from ..source_books import SourceBooks
from ..takeover import preview as takeover
from ..takeover.preview import BooksRow
from . import opening_balances
from .first_rows import ReadFile
from .model import ImportJob
from .opening_balances import OpeningClash

# At most this many rows of a page get suggestions.
_SUGGESTED_MAX = 1000
# Represents a category that does not exist yet, so that no other category is suggested.
_NEW_CATEGORY = -1


class PreviewRow(Struct, frozen=True, kw_only=True):
    """Shows what an import would do with one row. `bill_id` is the bill that the row would pay.

    `settled` is set for a row of a bank file, unless the row is rejected. `books` is set for a transaction of another
    program. `suggestion` is what earlier transactions suggest for a new row.
    """

    number: int
    verdict: Verdict
    settled: SettledRow | None = None
    offers: tuple[LinkOffer, ...] = ()
    bill_id: int | None = None
    suggestion: Suggestion | None = None
    books: BooksRow | None = None


class RowsPreview(Struct, frozen=True, kw_only=True):
    rows: list[PreviewRow]
    total: int
    counts: ImportCounts
    remarks: tuple[Finding, ...]
    is_whole: bool
    openings: Sequence[OpeningClash] = ()
    # The accounts of another program, by key.
    account_names: Mapping[str, str] = {}


def make(
    db: Unit, user_id: int, job: ImportJob, options: ImportOptions, file: ReadFile, *, offset: int, limit: int
) -> RowsPreview:
    if file.books:
        return _make_of_books(db, user_id, file.books, is_whole=file.is_whole, offset=offset, limit=limit)
    own = own_accounts.load(db, user_id)
    settler = Settler(
        account_id=job.account_id,
        own=own,
        currencies=currencies.all_coded(db),
        finds_payees=job.has_only_descriptions,
    )
    items = [item for part in file.parts for item in settler.settle(part)]
    numbered = [item for item in items if isinstance(item, SettledRow) or item.rejects]
    settled = [item for item in numbered if isinstance(item, SettledRow)]
    page = numbered[offset : offset + limit]
    first = sum(isinstance(item, SettledRow) for item in numbered[:offset])
    last = first + sum(isinstance(item, SettledRow) for item in page)
    planned = plan.make(db, user_id, own, options, settled, composed=range(first, last)).rows
    rejected = len(numbered) - len(settled)
    remarks = [item for item in items if isinstance(item, Finding) and not item.rejects]
    if file.failure:
        remarks.append(Finding(message=file.failure, rejects=True))
    return RowsPreview(
        rows=_rows(db, user_id, page, planned[first:last]),
        total=len(numbered),
        counts=verdicts.count(planned).plus(ImportCounts(read=rejected, rejected=rejected)),
        remarks=tuple(remarks),
        is_whole=file.is_whole,
        openings=opening_balances.find_planned(db, user_id, planned),
    )


def _make_of_books(
    db: Unit, user_id: int, books: SourceBooks, *, is_whole: bool, offset: int, limit: int
) -> RowsPreview:
    rows = takeover.make(db, user_id, books)
    wrong = sum(isinstance(row.verdict, Rejected) for row in rows)
    duplicates = sum(isinstance(row.verdict, Duplicate) for row in rows)
    return RowsPreview(
        rows=[
            PreviewRow(number=row.transaction.row or 0, verdict=row.verdict, books=row)
            for row in rows[offset : offset + limit]
        ],
        total=len(rows),
        counts=ImportCounts(read=len(rows), new=len(rows) - duplicates - wrong, duplicate=duplicates, rejected=wrong),
        remarks=books.findings,
        is_whole=is_whole,
        account_names={account.key: account.name for account in books.accounts},
    )


def _rows(
    db: Unit, user_id: int, items: Sequence[SettledRow | Finding], planned: Sequence[PlannedRow]
) -> list[PreviewRow]:
    paid = _find_bills(db, user_id, planned)
    of_row = iter(zip(planned, paid, _suggest(db, user_id, planned), strict=True))
    rows = []
    for item in items:
        if isinstance(item, Finding):
            rows.append(PreviewRow(number=item.row or 0, verdict=Rejected(why=item.message, field=item.field)))
        else:
            row, bill_id, suggestion = next(of_row)
            rows.append(
                PreviewRow(
                    number=item.row.row,
                    verdict=row.verdict,
                    settled=item,
                    offers=row.offers,
                    bill_id=bill_id,
                    suggestion=suggestion,
                )
            )
    return rows


def _suggest(db: Unit, user_id: int, planned: Sequence[PlannedRow]) -> list[Suggestion | None]:
    """Makes suggestions for the first new rows of a page."""
    subjects = {index: subject for index, row in enumerate(planned) if (subject := _subject_of(row))}
    chosen = dict(list(subjects.items())[:_SUGGESTED_MAX])
    found = dict(zip(chosen, suggest.find(db, user_id, list(chosen.values())), strict=True)) if chosen else {}
    return [found.get(index) for index in range(len(planned))]


def _subject_of(row: PlannedRow) -> SuggestionSubject | None:
    """Describes a new row to make suggestions for. Transfers and rows of several parts get none."""
    drafts = row.verdict.drafts if isinstance(row.verdict, New) else ()
    if len(drafts) != 1 or len(drafts[0].splits) != 1 or drafts[0].type not in FLOWING:
        return None
    [draft] = drafts
    [split] = draft.splits
    other = split.source if draft.type == Type.DEPOSIT else split.destination
    return SuggestionSubject(
        type=draft.type,
        description=draft.description,
        payee=other.name if row.settled.row.payee and other.kind != Kind.CASH else None,
        amount=Decimal(split.amount.units).scaleb(-split.amount.currency.places),
        category_id=_NEW_CATEGORY if isinstance(split.category, str) else split.category,
        takes_budget=draft.type == Type.WITHDRAWAL and split.budget is None,
    )


def _find_bills(db: Unit, user_id: int, planned: Sequence[PlannedRow]) -> list[int | None]:
    """Finds the bill that each row would pay, with one query for all rows."""
    drafts = [row.verdict.drafts[0] if isinstance(row.verdict, New) and row.verdict.drafts else None for row in planned]
    candidates = [_candidate(draft) if draft else None for draft in drafts]
    paying = [candidate for candidate in candidates if candidate and candidate.type == Type.WITHDRAWAL]
    if not paying:
        return [None] * len(planned)
    units = [units for candidate in paying for units in candidate.units.values()]
    criteria = bills.find_candidates(db, user_id, {key for candidate in paying for key in candidate.units}, units, None)
    return [
        draft.bill_id or matching.find_paid_bill(criteria, candidate) if draft and candidate else None
        for draft, candidate in zip(drafts, candidates, strict=True)
    ]


def _candidate(draft: TransactionDraft) -> Candidate:
    """Builds a candidate that bills can be matched against, before the transaction has an id."""
    units: dict[int, int] = {}
    texts = [draft.description]
    for split in draft.splits:
        texts += [split.description or "", split.source.name, split.destination.name]
        for money in (split.amount, split.foreign):
            if money:
                units[money.currency.id] = units.get(money.currency.id, 0) + money.units
    return Candidate(type=draft.type, text=matching.join_texts(texts), units=units)
