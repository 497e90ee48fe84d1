"""Takes over the books of another program.

The files are read by a process of its own, and every transaction is checked first. Then objects are made, transactions
booked and files stored, some in each unit of work, and at the end the balances are proved.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import islice
from time import monotonic
from typing import Any, BinaryIO

from msgspec import Struct, field
from msgspec.structs import replace

from farthing.books.bookkeeping import record
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import CURRENCY
from farthing.kernel.clock import today_in
from farthing.ledger.entry import Entry
from farthing.storage.queue import Job, Waiting
from farthing.storage.unit import Unit

from ..findings import Finding
from ..import_jobs.model import ImportJob, add_findings
from ..import_jobs.queueing import Phase
from ..rows import imported_rows, objects
from ..rows.imported_rows import ImportedRowDraft
from ..rows.options import ImportCounts
from ..source_books import SourceBooks, SourceTransaction
from ..takeover import attachments, entries, plans, targets
from ..takeover import objects as making
from ..takeover.fitting import Unfitting
from ..takeover.objects import ObjectTask, TakeoverContext
from ..takeover.proof import prove
from .foreign import ForeignParts, Spool, open_files
from .runner import ImportStep, Tools

_ORDER = (
    Phase.CHECKING, Phase.MAKING, Phase.BOOKING, Phase.PLANNING, Phase.SAVING, Phase.ATTACHING, Phase.PROVING,
)  # fmt: skip
_YIELD_BOOKS = "farthing.moving.import_jobs.reading:yield_books"
# Longer than this nobody waits for more to come.
_READING_S = 0.25
_MADE_AT_ONCE = 25
_ATTACHED_AT_ONCE = 5


class BooksPart(Struct, frozen=True, kw_only=True):
    """Holds the books, and what this phase needs of them: problems, transactions, files, or the report at the end."""

    books: SourceBooks
    total: int | None = None
    findings: tuple[Finding, ...] = ()
    rejected: int = 0
    transactions: Sequence[SourceTransaction] = ()
    is_last: bool = True
    files: Sequence[attachments.StoredAttachment] = ()
    report: dict[str, Any] | None = None


class _Reading(Struct, kw_only=True):
    """Books that are being read. They are used once all of them have come; the transactions wait on disk.

    `position` counts the transactions taken from the disk.
    """

    source: ForeignParts
    spool: Spool
    opened: ExitStack = field(default_factory=ExitStack)
    files: Mapping[str, BinaryIO] | None = None
    books: SourceBooks | None = None
    accounts: frozenset[str] = frozenset()
    total: int = 0
    findings: tuple[Finding, ...] = ()
    rejected: int = 0
    transactions: Iterator[SourceTransaction] = iter(())
    position: int = -1

    def read_on(self) -> SourceBooks | None:
        """Returns the books, None while more has to come. Raises Unreadable."""
        until = monotonic() + _READING_S
        while not self.source.is_at_end and monotonic() < until and (some := self.source.take()):
            self._receive(some)
        return self.books if self.source.is_at_end else None

    def _receive(self, some: list[Any]) -> None:
        """Stores what has arrived, and finds every predictable problem before anything is made."""
        if self.books is None:
            self.books = replace(some.pop(0), transactions=self.spool)
            self.accounts = frozenset(account.key for account in self.books.accounts)
            self._remark(self.books.findings)
        self.spool.add(some)
        self.total += len(some)
        problems = ((transaction, entries.find_problem(transaction, self.accounts)) for transaction in some)
        self._remark(
            tuple(Finding(row=transaction.row, message=why, rejects=True) for transaction, why in problems if why)
        )

    def _remark(self, findings: tuple[Finding, ...]) -> None:
        self.findings = add_findings(self.findings, findings)
        self.rejected += sum(finding.rejects for finding in findings)

    def take(self, position: int, most: int) -> list[SourceTransaction]:
        if self.position != position:
            self.transactions = iter(self.spool)
            for _ in islice(self.transactions, position):
                pass
        some = list(islice(self.transactions, most))
        self.position = position + len(some)
        return some

    def close(self) -> None:
        self.source.close()
        self.spool.close()
        self.opened.close()


class BooksRunner(Struct, kw_only=True):
    """Keeps what was read from one part to the next; after a restart it is read again."""

    tools: Tools
    reading: _Reading | None = None

    def look(self, db: Unit, job: Job, import_job: ImportJob) -> BooksPart | Waiting:
        reading = self.reading = self.reading or self._open(db, job, import_job)
        books, position = reading.read_on(), int(job.data["place"])
        if books is None:
            return Waiting()
        match job.data["phase"]:
            case Phase.CHECKING:
                return BooksPart(books=books, total=reading.total, findings=reading.findings, rejected=reading.rejected)
            case Phase.BOOKING:
                most = self.tools.pace.rows
                some = reading.take(position, most)
                return BooksPart(books=books, transactions=some, is_last=len(some) < most)
            case Phase.ATTACHING:
                sources = books.attachments[position : position + _ATTACHED_AT_ONCE]
                files = reading.files = reading.files or self._open_files(db, job, import_job, reading.opened)
                stored = attachments.store_contents(self.tools.blobs, job.user_id, books.program, files, sources)
                return BooksPart(books=books, files=stored)
            case Phase.PROVING:
                return BooksPart(books=books, report=_report(db, job, books))
            case _:
                return BooksPart(books=books)

    def write(self, db: Unit, job: Job, import_job: ImportJob, part: BooksPart, now: str) -> ImportStep:
        match job.data["phase"]:
            case Phase.CHECKING:
                return _check(job, import_job, part)
            case Phase.MAKING:
                return _make(db, job, making.list_tasks(part.books), making.MAKERS, now)
            case Phase.BOOKING:
                return _book(db, job, import_job, part, now)
            case Phase.PLANNING:
                return _make(db, job, plans.list_tasks(part.books), plans.MAKERS, now)
            case Phase.SAVING:
                return _save(db, job, part.books, now)
            case Phase.ATTACHING:
                findings = attachments.record_all(db, job.user_id, job.subject_id, part.files, now)
                data = _advance(job.data, _ATTACHED_AT_ONCE, len(part.books.attachments))
                return ImportStep(data=data, findings=tuple(findings))
            case _:
                return ImportStep(data=job.data, is_done=True, report=part.report)

    def close(self) -> None:
        if self.reading:
            self.reading.close()

    def _open(self, db: Unit, job: Job, import_job: ImportJob) -> _Reading:
        currency = str(preferences.values(db, job.user_id, [CURRENCY])[CURRENCY])
        source = self.tools.readers.begin(db, job.user_id, import_job, _YIELD_BOOKS, currency=currency)
        return _Reading(source=source, spool=Spool())

    def _open_files(self, db: Unit, job: Job, import_job: ImportJob, opened: ExitStack) -> dict[str, BinaryIO]:
        """Opens the files again, because the process that reads them moves their read position."""
        return {file.name: file.file for file in open_files(db, self.tools.blobs, job.user_id, import_job, opened)}


def _begin_next(data: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, "phase": _ORDER[_ORDER.index(data["phase"]) + 1], "place": 0}


def _advance(data: Mapping[str, Any], number: int, total: int) -> dict[str, Any]:
    """Advances by `number` of `total`, then to the next phase."""
    position = int(data["place"]) + number
    return {**data, "place": position} if position < total else _begin_next(data)


def _check(job: Job, import_job: ImportJob, part: BooksPart) -> ImportStep:
    is_refused = bool(part.rejected) and not import_job.options.partial
    return ImportStep(
        data=_begin_next(job.data),
        counts=ImportCounts(read=part.total or 0, rejected=part.rejected) if is_refused else None,
        findings=part.findings,
        total=part.total,
        is_refused=is_refused,
    )


def _make_context(db: Unit, job: Job, now: str) -> TakeoverContext:
    coded = targets.load_currencies(db, job.user_id, job.subject_id)
    chosen = preferences.values(db, job.user_id, [CURRENCY, "timezone"])
    return TakeoverContext(
        db=db,
        user_id=job.user_id,
        job_id=job.subject_id,
        today=today_in(str(chosen["timezone"]), datetime.fromisoformat(now)),
        now=now,
        currencies=coded,
        may_make_currencies=bool(job.data.get("has_full_access")),
        default_currency=coded[str(chosen[CURRENCY])],
        made=objects.load_by_kind(db, job.user_id, job.subject_id),
    )


def _make(
    db: Unit, job: Job, tasks: Sequence[ObjectTask], makers: Mapping[str, making.ObjectMaker], now: str
) -> ImportStep:
    position = int(job.data["place"])
    context = _make_context(db, job, now)
    making.make(context, tasks[position : position + _MADE_AT_ONCE], makers)
    return ImportStep(data=_advance(job.data, _MADE_AT_ONCE, len(tasks)), findings=tuple(context.findings))


def _book(db: Unit, job: Job, import_job: ImportJob, part: BooksPart, now: str) -> ImportStep:
    target = targets.load(db, job.user_id, job.subject_id, part.books)
    keys = {transaction.key: targets.key_of(part.books.program, transaction.key) for transaction in part.transactions}
    imported_keys = imported_rows.find_keys(db, job.user_id, targets.NO_ACCOUNT, list(keys.values()))
    new = [transaction for transaction in part.transactions if keys[transaction.key] not in imported_keys]
    targets.make_helpers(db, job.user_id, new, target, now)
    composed, findings = _compose(new, target)
    booked = [entry for _, some in composed for entry in some]
    entry_ids = iter(record.record_all(db, job.user_id, booked, now, amount_field="amount") if booked else ())
    rows = [
        ImportedRowDraft(
            account_id=targets.NO_ACCOUNT,
            row=transaction.row or 0,
            on=transaction.on,
            key=keys[transaction.key],
            outcome="new",
            entry_id=next(entry_ids),
        )
        for transaction, some in composed
        for _ in some
    ]
    imported_rows.add(db, job.user_id, job.subject_id, rows)
    rejected = len(new) - len(composed)
    counts = ImportCounts(
        read=len(part.transactions),
        new=len(composed),
        duplicate=len(part.transactions) - len(new),
        rejected=rejected,
    )
    position = int(job.data["place"]) + len(part.transactions)
    return ImportStep(
        data=_begin_next(job.data) if part.is_last else {**job.data, "place": position},
        counts=import_job.counts.plus(counts),
        findings=tuple(findings),
        booked=len(part.transactions),
        is_refused=bool(rejected) and not import_job.options.partial,
    )


def _compose(
    new: Sequence[SourceTransaction], target: entries.TakeoverTarget
) -> tuple[list[tuple[SourceTransaction, list[Entry]]], list[Finding]]:
    composed, findings = [], []
    for transaction in new:
        try:
            made = entries.compose(transaction, target)
        except Unfitting as error:
            sentence = f"“{transaction.description[:80]}” of {transaction.on} cannot be booked: {error}"
            findings.append(Finding(row=transaction.row, message=sentence, rejects=True))
        else:
            composed.append((transaction, made.entries))
            findings += made.findings
    return composed, findings


def _save(db: Unit, job: Job, books: SourceBooks, now: str) -> ImportStep:
    """Adds manual changes of piggy banks; transfers have filled them already."""
    findings = targets.add_piggy_bank_events(db, job.user_id, job.subject_id, books, now)
    return ImportStep(data=_begin_next(job.data), findings=tuple(findings))


def _report(db: Unit, job: Job, books: SourceBooks) -> dict[str, Any]:
    coded = targets.load_currencies(db, job.user_id, job.subject_id)
    accounts = targets.load_accounts(db, job.user_id, job.subject_id)
    proved = prove(db, job.user_id, books, accounts, coded)
    return {"program": books.program, "counts": targets.count(db, job.user_id, job.subject_id, books), **proved}
