"""Imports the books of another program.

A separate process reads the files, and every transaction is checked first. Then objects are created, transactions
booked and files stored, a few in each unit of work. Finally, the balances are compared with those of the source.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import islice
from time import monotonic
from typing import Any, BinaryIO

from msgspec import Struct, field, structs

from farthing.books.bookkeeping import record
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import CURRENCY
from farthing.kernel.clock import today_in
from farthing.ledger.entry import Entry
from farthing.storage.queue import Waiting

from ..findings import Finding
from ..import_jobs.model import add_findings
from ..import_jobs.queueing import Phase
from ..rows import imported_rows, made_objects
from ..rows.imported_rows import ImportedRowDraft
from ..rows.options import ImportCounts
from ..source_books import SourceBooks, SourceTransaction
from ..takeover import (
    attachments,
    entries,
    make_links,
    make_objects,
    make_piggy_banks,
    make_rules_and_recurrences,
    make_settings,
    proof,
    targets,
)
from ..takeover.fitting import Unfitting
from ..takeover.make_objects import ObjectMaker, ObjectTask, TakeoverContext
from .reader_processes import ReaderParts, Spool, open_files
from .runner import ImportStep, Tools
from .turn import ImportTurn

_YIELD_BOOKS = "farthing.moving.import_jobs.formats:yield_books"
_FIRST_MAKERS = make_objects.MAKERS | make_piggy_banks.MAKERS
# What is created after the transactions.
_LAST = (make_rules_and_recurrences, make_links, make_settings)
_LAST_MAKERS = {kind: maker for each in _LAST for kind, maker in each.MAKERS.items()}
# The longest time to wait for further parts to arrive.
_READING_S = 0.25
_MADE_AT_ONCE = 25
_ATTACHED_AT_ONCE = 5


class BooksPart(Struct, frozen=True, kw_only=True):
    """Holds the books and what the current phase needs: problems, transactions, files, or the report at the end."""

    books: SourceBooks
    total: int | None = None
    findings: tuple[Finding, ...] = ()
    rejected: int = 0
    transactions: Sequence[SourceTransaction] = ()
    is_last: bool = True
    files: Sequence[attachments.StoredAttachment] = ()
    report: dict[str, Any] | None = None


class _Reading(Struct, kw_only=True):
    """Tracks books that are being read, and that are used once they are complete. `position` is the number of
    transactions taken from the temporary file.
    """

    source: ReaderParts
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
        """Returns the books, or None if parts of them have not arrived yet. Raises Unreadable."""
        until = monotonic() + _READING_S
        while not self.source.is_at_end and monotonic() < until and (some := self.source.take()):
            self._receive(some)
        return self.books if self.source.is_at_end else None

    def _receive(self, some: list[Any]) -> None:
        """Stores the parts that have arrived, and finds every predictable problem before anything is created."""
        if self.books is None:
            self.books = structs.replace(some.pop(0), transactions=self.spool)
            self.accounts = frozenset(account.key for account in self.books.accounts)
            self._remark(self.books.findings)
        self.spool.add(some)
        self.total += len(some)
        problems = ((transaction, entries.find_problem(transaction, self.accounts)) for transaction in some)
        findings = (Finding(row=transaction.row, message=why, rejects=True) for transaction, why in problems if why)
        self._remark(tuple(findings))

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
    """Reads the books once, and keeps them between turns. After a restart, they are read again."""

    tools: Tools
    reading: _Reading | None = None

    @property
    def phases(self) -> tuple[Phase, ...]:
        return (
            Phase.CHECKING, Phase.MAKING, Phase.BOOKING, Phase.PLANNING, Phase.SAVING, Phase.ATTACHING, Phase.PROVING,
        )  # fmt: skip

    def look(self, turn: ImportTurn) -> BooksPart | Waiting:
        reading = self.reading = self.reading or self._open(turn)
        books, position = reading.read_on(), turn.position
        if books is None:
            return Waiting()
        match turn.phase:
            case Phase.CHECKING:
                return BooksPart(books=books, total=reading.total, findings=reading.findings, rejected=reading.rejected)
            case Phase.BOOKING:
                most = self.tools.pace.rows
                some = reading.take(position, most)
                return BooksPart(books=books, transactions=some, is_last=len(some) < most)
            case Phase.ATTACHING:
                sources = books.attachments[position : position + _ATTACHED_AT_ONCE]
                # Opened again, because the reader process moves the position of the files that it shares.
                files = reading.files = reading.files or {
                    file.name: file.file for file in open_files(turn, self.tools.blobs, reading.opened)
                }
                stored = attachments.store_contents(self.tools.blobs, turn.user_id, books.program, files, sources)
                return BooksPart(books=books, files=stored)
            case Phase.PROVING:
                return BooksPart(books=books, report=proof.report(turn.db, turn.user_id, turn.import_job.id, books))
            case _:
                return BooksPart(books=books)

    def write(self, turn: ImportTurn, part: BooksPart) -> ImportStep:
        job_id = turn.import_job.id
        match turn.phase:
            case Phase.CHECKING:
                return ImportStep(findings=part.findings, total=part.total, rejected=part.rejected)
            case Phase.MAKING:
                return _make(turn, make_objects.list_tasks(part.books), _FIRST_MAKERS)
            case Phase.BOOKING:
                return _book(turn, part)
            case Phase.PLANNING:
                return _make(turn, [task for each in _LAST for task in each.list_tasks(part.books)], _LAST_MAKERS)
            case Phase.SAVING:  # manual changes to piggy banks; transfers have filled them already
                findings = make_piggy_banks.add_events(turn.db, turn.user_id, job_id, part.books, turn.now)
                return ImportStep(findings=tuple(findings))
            case Phase.ATTACHING:
                remarks = tuple(attachments.record_all(turn.db, turn.user_id, job_id, part.files, turn.now))
                position = _advance(turn, _ATTACHED_AT_ONCE, len(part.books.attachments))
                return ImportStep(position=position, findings=remarks)
            case _:
                return ImportStep(report=part.report)

    def close(self) -> None:
        if self.reading:
            self.reading.close()

    def _open(self, turn: ImportTurn) -> _Reading:
        currency = str(preferences.values(turn.db, turn.user_id, [CURRENCY])[CURRENCY])
        return _Reading(source=self.tools.readers.begin(turn, _YIELD_BOOKS, currency=currency), spool=Spool())


def _advance(turn: ImportTurn, number: int, total: int) -> int | None:
    position = turn.position + number
    return position if position < total else None


def _make(turn: ImportTurn, tasks: Sequence[ObjectTask], makers: Mapping[str, ObjectMaker]) -> ImportStep:
    db, user_id, job_id = turn.db, turn.user_id, turn.import_job.id
    coded = targets.load_currencies(db, user_id, job_id)
    chosen = preferences.values(db, user_id, [CURRENCY, "timezone"])
    context = TakeoverContext(
        db=db,
        user_id=user_id,
        job_id=job_id,
        today=today_in(str(chosen["timezone"]), datetime.fromisoformat(turn.now)),
        now=turn.now,
        currencies=coded,
        may_make_currencies=bool(turn.job.data.get("has_full_access")),
        default_currency=coded[str(chosen[CURRENCY])],
        made=made_objects.load_by_kind(db, user_id, job_id),
    )
    make_objects.make(context, tasks[turn.position : turn.position + _MADE_AT_ONCE], makers)
    return ImportStep(position=_advance(turn, _MADE_AT_ONCE, len(tasks)), findings=tuple(context.findings))


def _book(turn: ImportTurn, part: BooksPart) -> ImportStep:
    db, user_id, job_id = turn.db, turn.user_id, turn.import_job.id
    target = targets.load(db, user_id, job_id, part.books)
    keys = {transaction.key: targets.key_of(part.books.program, transaction.key) for transaction in part.transactions}
    imported_keys = imported_rows.find_entries(db, user_id, targets.NO_ACCOUNT, list(keys.values()))
    new = [transaction for transaction in part.transactions if keys[transaction.key] not in imported_keys]
    targets.make_helpers(db, user_id, new, target, turn.now)
    composed, findings = _compose(new, target)
    booked = [entry for _, some in composed for entry in some]
    entry_ids = iter(record.record_all(db, user_id, booked, turn.now, amount_field="amount") if booked else ())
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
    imported_rows.add(db, user_id, job_id, rows)
    read, rejected = len(part.transactions), len(new) - len(composed)
    counts = ImportCounts(read=read, new=len(composed), duplicate=read - len(new), rejected=rejected)
    return ImportStep(
        position=None if part.is_last else turn.position + read,
        counts=turn.import_job.counts.plus(counts),
        findings=tuple(findings),
        booked=read,
        rejected=rejected,
    )


def _compose(
    new: Sequence[SourceTransaction], target: entries.TakeoverTarget
) -> tuple[list[tuple[SourceTransaction, list[Entry]]], list[Finding]]:
    composed, findings = [], []
    for transaction in new:
        try:
            made, remarks = entries.compose(transaction, target)
        except Unfitting as error:
            sentence = f"“{transaction.description[:80]}” of {transaction.on} cannot be booked: {error}"
            findings.append(Finding(row=transaction.row, message=sentence, rejects=True))
        else:
            composed.append((transaction, made))
            findings += remarks
    return composed, findings
