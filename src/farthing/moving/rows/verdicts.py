"""Defines the possible verdicts on a row of a file, and counts and reports them."""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from farthing.books.rules.engine import RuleMatch
from farthing.books.transactions.model import KnownAccount, TransactionDraft

from ..findings import Finding
from .near_transactions import NearEntry
from .options import ImportCounts
from .settle import SettledRow


class New(Struct, frozen=True, kw_only=True):
    """The row is booked as `drafts`, which the rules in `fired` have already changed. If another row of this file is
    the other half of a transfer, `transfer_to` is the account of that row. `is_asked` means that the user called the
    row new, so it cannot be half of a transfer.
    """

    outcome: ClassVar[str] = "new"
    why: str = ""
    is_asked: bool = False
    transfer_to: KnownAccount | None = None
    drafts: tuple[TransactionDraft, ...] = ()
    fired: tuple[RuleMatch, ...] = ()


class Duplicate(Struct, frozen=True, kw_only=True):
    """The row was imported before, or is repeated. `of` is its transaction, if that existed before this import."""

    outcome: ClassVar[str] = "duplicate"
    why: str
    of: int | None = None


class Linked(Struct, frozen=True, kw_only=True):
    """The row matches the existing transaction `of`, so no new transaction is booked."""

    outcome: ClassVar[str] = "linked"
    why: str
    of: int


class Paired(Struct, frozen=True, kw_only=True):
    """The row is the other half of the transaction `of`, which is turned into a transfer if `becomes_transfer`.
    Otherwise, the row is the other half of another row of the plan: `partner` is the index of the other row, and
    `partner_row` its number in the file.
    """

    outcome: ClassVar[str] = "paired"
    why: str
    of: int | None = None
    becomes_transfer: bool = False
    partner: int | None = None
    partner_row: int | None = None


class Skipped(Struct, frozen=True, kw_only=True):
    """The row is skipped. `is_remarked` is set if the report must say why, because it is not what the user decided."""

    outcome: ClassVar[str] = "skipped"
    why: str
    is_remarked: bool = False


class Rejected(Struct, frozen=True, kw_only=True):
    outcome: ClassVar[str] = "rejected"
    why: str
    field: str | None = None


Verdict = New | Duplicate | Linked | Paired | Skipped | Rejected
_NEW = New()


class LinkOffer(Struct, frozen=True, kw_only=True):
    """Offers to link a row to a transaction that it may match. `score` rates the match and is at most 100."""

    entry: NearEntry
    score: int
    reason: str


class PlannedRow(Struct, frozen=True, kw_only=True):
    """Describes what becomes of a row, which may match `offers`. `was_deleted` is set if the transaction of an earlier
    import of the row was deleted.
    """

    settled: SettledRow
    verdict: Verdict = _NEW
    was_deleted: bool = False
    offers: tuple[LinkOffer, ...] = ()


def find_entry_id(verdict: Verdict) -> int | None:
    """Returns the existing transaction that a row repeats or matches, or of which it is the other half."""
    return verdict.of if isinstance(verdict, Duplicate | Linked | Paired) else None


Rows = list[PlannedRow]


def count(rows: Sequence[PlannedRow], unbooked: int = 0) -> ImportCounts:
    """Counts rows by outcome. Halves of transfers are counted as linked, because no transaction is created for them."""
    outcomes = Counter(row.verdict.outcome for row in rows)
    return ImportCounts(
        read=len(rows),
        new=outcomes["new"] - unbooked,
        duplicate=outcomes["duplicate"],
        linked=outcomes["linked"] + outcomes["paired"],
        rejected=outcomes["skipped"] + outcomes["rejected"] + unbooked,
    )


def list_remarks(rows: Rows) -> list[Finding]:
    """Lists what the user should check. Rows that were simply imported before are not listed."""
    remarks = []
    for row in rows:
        verdict, number = row.verdict, row.settled.row.row
        is_deleted = isinstance(verdict, Duplicate) and row.was_deleted
        if is_deleted or (isinstance(verdict, Skipped) and verdict.is_remarked):
            remarks.append(Finding(row=number, message=verdict.why))
        elif isinstance(verdict, New) and row.offers:
            best = row.offers[0]
            sentence = f"It may match transaction {best.entry.split_id}, “{best.entry.text[:80]}”. {best.reason}"
            remarks.append(Finding(row=number, message=sentence))
    return remarks
