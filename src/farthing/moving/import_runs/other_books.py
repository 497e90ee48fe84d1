"""Takes over the books of another program.

The files are read and every transaction is checked first. Then objects are made, transactions booked and files stored,
some in each unit of work, and at the end the balances are proved.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import islice
from typing import Any, BinaryIO

from msgspec import Struct

from farthing.books.bookkeeping import record
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import CURRENCY
from farthing.kernel.clock import today_in
from farthing.ledger.entry import Entry
from farthing.storage.blobs import Blobs
from farthing.storage.queue import Job
from farthing.storage.unit import Unit

from ..findings import Finding
from ..import_jobs.model import ImportJob
from ..import_jobs.queueing import Phase
from ..import_jobs.reading import read_books
from ..rows import memory, objects
from ..rows.memory import RowMemory
from ..rows.options import ImportCounts
from ..source_books import SourceBooks, SourceTransaction
from ..takeover import attachments, entries, plans, targets
from ..takeover import objects as making
from ..takeover.fitting import Unfitting
from ..takeover.objects import Task, Workshop
from ..takeover.proof import prove
from .files import open_files
from .step import ImportStep, Pace

_ORDER = (
    Phase.CHECKING, Phase.MAKING, Phase.BOOKING, Phase.PLANNING, Phase.SAVING, Phase.ATTACHING, Phase.PROVING,
)  # fmt: skip
_MADE_AT_ONCE = 25
_ATTACHED_AT_ONCE = 5


class BooksPart(Struct, frozen=True, kw_only=True):
    """The books, and what was read of them for this phase: problems, transactions, files, or the report at the end."""

    books: SourceBooks
    total: int | None = None
    findings: tuple[Finding, ...] = ()
    transactions: Sequence[SourceTransaction] = ()
    is_last: bool = True
    files: Sequence[attachments.StoredContent] = ()
    report: dict[str, Any] | None = None


class _Reading(Struct, kw_only=True):
    """Open files, and how many transactions have been taken from them; -1 if they have to be read from the start."""

    job_id: int
    books: SourceBooks
    files: Mapping[str, BinaryIO]
    opened: ExitStack
    transactions: Iterator[SourceTransaction] = iter(())
    place: int = -1

    def take(self, place: int, most: int) -> list[SourceTransaction]:
        if self.place != place:
            self.transactions = iter(self.books.transactions)
            for _ in islice(self.transactions, place):
                pass
        some = list(islice(self.transactions, most))
        self.place = place + len(some)
        return some


class BooksRunner:
    """Keeps the source open from one part to the next; after a restart it is read again."""

    def __init__(self, blobs: Blobs, pace: Pace) -> None:
        self._blobs = blobs
        self._pace = pace
        self._reading: _Reading | None = None

    def look(self, db: Unit, job: Job, import_job: ImportJob) -> BooksPart:
        reading = self._continue(db, job, import_job)
        books, place = reading.books, int(job.data["place"])
        match job.data["phase"]:
            case Phase.CHECKING:
                return _find_problems(books)
            case Phase.BOOKING:
                most = self._pace.rows
                some = reading.take(place, most)
                return BooksPart(books=books, transactions=some, is_last=len(some) < most)
            case Phase.ATTACHING:
                wanted = books.attachments[place : place + _ATTACHED_AT_ONCE]
                stored = attachments.store_contents(self._blobs, job.user_id, books.program, reading.files, wanted)
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
        if self._reading:
            self._reading.opened.close()
        self._reading = None

    def _continue(self, db: Unit, job: Job, import_job: ImportJob) -> _Reading:
        if self._reading and self._reading.job_id == job.id:
            return self._reading
        self.close()
        currency = preferences.values(db, job.user_id, [CURRENCY])[CURRENCY]
        with ExitStack() as opened:
            files = {one.name: one.file for one in open_files(db, self._blobs, job.user_id, import_job, opened)}
            books = read_books(import_job, files, str(currency))
            self._reading = _Reading(job_id=job.id, books=books, files=files, opened=opened.pop_all())
        return self._reading


def _begin_next(data: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, "phase": _ORDER[_ORDER.index(data["phase"]) + 1], "place": 0}


def _advance(data: Mapping[str, Any], number: int, total: int) -> dict[str, Any]:
    """By so many of so many; then comes the next phase."""
    place = int(data["place"]) + number
    return {**data, "place": place} if place < total else _begin_next(data)


def _find_problems(books: SourceBooks) -> BooksPart:
    """Everything that is known to go wrong, before anything is made."""
    accounts = {one.key for one in books.accounts}
    total = 0
    findings = list(books.findings)
    for one in books.transactions:
        total += 1
        if sentence := entries.find_problem(one, accounts):
            findings.append(Finding(row=one.row, message=sentence, rejects=True))
    return BooksPart(books=books, total=total, findings=tuple(findings))


def _check(job: Job, import_job: ImportJob, part: BooksPart) -> ImportStep:
    rejected = sum(one.rejects for one in part.findings)
    is_refused = bool(rejected) and not import_job.options.partial
    return ImportStep(
        data=_begin_next(job.data),
        counts=ImportCounts(read=part.total or 0, rejected=rejected) if is_refused else None,
        findings=part.findings,
        total=part.total,
        is_refused=is_refused,
    )


def _workshop(db: Unit, job: Job, now: str) -> Workshop:
    coded = targets.load_currencies(db, job.user_id, job.subject_id)
    chosen = preferences.values(db, job.user_id, [CURRENCY, "timezone"])
    kinds = ("currencies", "accounts", "budgets", "bills", "piggy_banks", "rule_groups", "categories", "tags",
        "budget_limits", "available_budgets", "rules", "recurrences")  # fmt: skip
    return Workshop(
        db=db,
        user_id=job.user_id,
        job_id=job.subject_id,
        today=today_in(str(chosen["timezone"]), datetime.fromisoformat(now)),
        now=now,
        currencies=coded,
        may_make_currencies=bool(job.data.get("has_full_access")),
        default_currency=coded[str(chosen[CURRENCY])],
        made={kind: objects.load_keyed(db, job.user_id, job.subject_id, kind) for kind in kinds},
    )


def _make(db: Unit, job: Job, tasks: Sequence[Task], makers: Mapping[str, making.Maker], now: str) -> ImportStep:
    place = int(job.data["place"])
    workshop = _workshop(db, job, now)
    making.make(workshop, tasks[place : place + _MADE_AT_ONCE], makers)
    return ImportStep(data=_advance(job.data, _MADE_AT_ONCE, len(tasks)), findings=tuple(workshop.findings))


def _book(db: Unit, job: Job, import_job: ImportJob, part: BooksPart, now: str) -> ImportStep:
    target = targets.load(db, job.user_id, job.subject_id, part.books)
    keys = {one.key: targets.key_of(part.books.program, one.key) for one in part.transactions}
    known = memory.find_keys(db, job.user_id, targets.NO_ACCOUNT, list(keys.values()))
    new = [one for one in part.transactions if keys[one.key] not in known]
    targets.make_helpers(db, job.user_id, new, target, now)
    composed, findings = _compose(new, target)
    booked = [entry for _, some in composed for entry in some]
    entry_ids = iter(record.record_all(db, job.user_id, booked, now, amount_field="amount") if booked else ())
    rows = [
        RowMemory(
            account_id=targets.NO_ACCOUNT,
            row=one.row or 0,
            on=one.on,
            key=keys[one.key],
            outcome="new",
            entry_id=next(entry_ids),
        )
        for one, some in composed
        for _ in some
    ]
    memory.add(db, job.user_id, job.subject_id, rows)
    rejected = len(new) - len(composed)
    counts = ImportCounts(
        read=len(part.transactions),
        new=len(composed),
        duplicate=len(part.transactions) - len(new),
        rejected=rejected,
    )
    place = int(job.data["place"]) + len(part.transactions)
    return ImportStep(
        data=_begin_next(job.data) if part.is_last else {**job.data, "place": place},
        counts=import_job.counts.plus(counts),
        findings=tuple(findings),
        booked=len(part.transactions),
        is_refused=bool(rejected) and not import_job.options.partial,
    )


def _compose(
    new: Sequence[SourceTransaction], target: entries.Target
) -> tuple[list[tuple[SourceTransaction, list[Entry]]], list[Finding]]:
    composed, findings = [], []
    for one in new:
        try:
            made = entries.compose(one, target)
        except Unfitting as error:
            sentence = f"“{one.description[:80]}” of {one.on} cannot be booked: {error}"
            findings.append(Finding(row=one.row, message=sentence, rejects=True))
        else:
            composed.append((one, made.entries))
            findings += made.findings
    return composed, findings


def _save(db: Unit, job: Job, books: SourceBooks, now: str) -> ImportStep:
    """What was put into piggy banks by hand; transfers have filled them already."""
    findings = targets.add_piggy_bank_events(db, job.user_id, job.subject_id, books, now)
    return ImportStep(data=_begin_next(job.data), findings=tuple(findings))


def _report(db: Unit, job: Job, books: SourceBooks) -> dict[str, Any]:
    coded = targets.load_currencies(db, job.user_id, job.subject_id)
    accounts = targets.load_accounts(db, job.user_id, job.subject_id)
    proved = prove(db, job.user_id, books, accounts, coded)
    return {"program": books.program, "counts": targets.count(db, job.user_id, job.subject_id, books), **proved}
