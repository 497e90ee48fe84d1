"""Takes over the books of another program, part by part; the import job's runner stores how far it came.

The files are read and every transaction is checked first. Then objects are made, transactions booked and files stored,
some in each unit of work, and at the end the balances are proved.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import islice
from typing import Any, BinaryIO

from msgspec import Struct

from farthing.books.bookkeeping import record
from farthing.books.currencies import store as currencies
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import CURRENCY
from farthing.identity import users
from farthing.kernel.clock import today_in
from farthing.ledger.entry import Entry
from farthing.storage.blobs import Blobs
from farthing.storage.queue import Job
from farthing.storage.unit import Unit

from ..findings import Finding
from ..rows import memory, objects
from ..rows.memory import RowMemory
from ..rows.options import ImportCounts
from ..source_books import SourceBooks, SourceTransaction
from . import attachments, entries, plans, targets
from . import objects as making
from .fitting import Unfitting
from .objects import Task, Workshop
from .proof import prove

CHECKING, MAKING, BOOKING, PLANNING, SAVING, ATTACHING, PROVING = (
    "checking", "making", "booking", "planning", "saving", "attaching", "proving",
)  # fmt: skip
# What follows upon what.
_NEXT = {
    CHECKING: MAKING, MAKING: BOOKING, BOOKING: PLANNING, PLANNING: SAVING, SAVING: ATTACHING, ATTACHING: PROVING,
}  # fmt: skip
_MADE_AT_ONCE = 25
_ATTACHED_AT_ONCE = 5
# Transactions of a program have no statement of one account: their keys stand for themselves.
NO_ACCOUNT = 0

OpenFiles = Callable[[ExitStack], Mapping[str, BinaryIO]]
ReadBooks = Callable[[Mapping[str, BinaryIO]], SourceBooks]


class TakeoverPart(Struct, frozen=True, kw_only=True):
    """What was read for the next unit of work."""

    books: SourceBooks
    transactions: Sequence[SourceTransaction] = ()
    files: Sequence[attachments.StoredContent] = ()
    is_last: bool = True
    total: int | None = None
    findings: tuple[Finding, ...] = ()


class TakeoverStep(Struct, frozen=True, kw_only=True):
    """What a part leaves behind. `is_refused`: something cannot be held, and nothing may be left out."""

    data: dict[str, Any]
    counts: ImportCounts = ImportCounts()
    findings: tuple[Finding, ...] = ()
    total: int | None = None
    is_done: bool = False
    is_refused: bool = False
    report: dict[str, Any] | None = None


class _Reading(Struct, kw_only=True):
    job_id: int
    books: SourceBooks
    transactions: Iterator[SourceTransaction]
    files: Mapping[str, BinaryIO]
    opened: ExitStack
    place: int = 0


class Takeover:
    """Keeps the source open from one part to the next; after a restart it is read again."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._reading: _Reading | None = None

    def look(self, job: Job, read: ReadBooks, open_files: OpenFiles, *, batch: int) -> TakeoverPart:
        reading = self._continue(job, read, open_files)
        place = int(job.data["place"])
        match job.data["phase"]:
            case "checking":
                return _check(reading.books)
            case "booking":
                self._seek(reading, place)
                some = list(islice(reading.transactions, batch))
                reading.place += len(some)
                return TakeoverPart(books=reading.books, transactions=some, is_last=len(some) < batch)
            case "attaching":
                some_files = reading.books.attachments[place : place + _ATTACHED_AT_ONCE]
                stored = attachments.store_contents(
                    self._blobs, job.user_id, reading.books.program, reading.files, some_files
                )
                return TakeoverPart(books=reading.books, files=stored)
            case _:
                return TakeoverPart(books=reading.books)

    def write(self, db: Unit, job: Job, found: TakeoverPart, now: str, *, partial: bool) -> TakeoverStep:
        place = int(job.data["place"])
        match job.data["phase"]:
            case "checking":
                refused = not partial and any(one.rejects for one in found.findings)
                rejected = sum(one.rejects for one in found.findings)
                counts = ImportCounts(read=found.total or 0, rejected=rejected) if refused else ImportCounts()
                data = _after(job.data)
                return TakeoverStep(
                    data=data, counts=counts, findings=found.findings, total=found.total, is_refused=refused
                )
            case "making":
                return _make(db, job, making.list_tasks(found.books), making.MAKERS, now)
            case "booking":
                return _book(db, job, found, now)
            case "planning":
                return _make(db, job, plans.list_tasks(found.books), plans.MAKERS, now)
            case "saving":
                return _save(db, job, found.books, now)
            case "attaching":
                findings = attachments.record_all(db, job.user_id, job.subject_id, found.files, now)
                is_last = place + _ATTACHED_AT_ONCE >= len(found.books.attachments)
                data = _after(job.data) if is_last else {**job.data, "place": place + _ATTACHED_AT_ONCE}
                return TakeoverStep(data=data, findings=tuple(findings))
            case _:
                return TakeoverStep(data=job.data, is_done=True, report=_report(db, job, found.books))

    def close(self) -> None:
        if self._reading:
            self._reading.opened.close()
        self._reading = None

    def _continue(self, job: Job, read: ReadBooks, open_files: OpenFiles) -> _Reading:
        if self._reading and self._reading.job_id == job.id:
            return self._reading
        self.close()
        with ExitStack() as opened:
            files = open_files(opened)
            books = read(files)
            self._reading = _Reading(
                job_id=job.id, books=books, transactions=iter(()), files=files, opened=opened.pop_all(), place=-1
            )
        return self._reading

    def _seek(self, reading: _Reading, place: int) -> None:
        if reading.place != place:
            reading.transactions = iter(reading.books.transactions)
            for _ in islice(reading.transactions, place):
                pass
            reading.place = place


def _after(data: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, "phase": _NEXT[data["phase"]], "place": 0}


def _check(books: SourceBooks) -> TakeoverPart:
    """Everything that is known to go wrong, before anything is made."""
    accounts = {one.key for one in books.accounts}
    total = 0
    findings = list(books.findings)
    for one in books.transactions:
        total += 1
        if sentence := find_problem(one, accounts):
            findings.append(Finding(row=one.row, message=sentence, rejects=True))
    return TakeoverPart(books=books, total=total, findings=tuple(findings))


def find_problem(one: SourceTransaction, accounts: Container[str]) -> str | None:
    """Why it can certainly not be booked; `accounts` are the keys of those that the source has."""
    missing = [key for split in one.splits for key in (split.source, split.destination) if key not in accounts]
    if missing:
        return f"“{one.description[:80]}” of {one.on} names the account {missing[0]!r:.80}, which is not there."
    if not one.splits or not all(split.amount > 0 for split in one.splits):
        return f"“{one.description[:80]}” of {one.on} has an amount that is not above zero."
    return None


def _workshop(db: Unit, job: Job, now: str) -> Workshop:
    coded = currencies.all_coded(db)
    chosen = preferences.values(db, job.user_id, [CURRENCY, "timezone"])
    user = users.get(db, job.user_id)
    kinds = ("accounts", "budgets", "bills", "piggy_banks", "rule_groups", "categories", "tags", "budget_limits",
        "available_budgets", "rules", "recurrences")  # fmt: skip
    return Workshop(
        db=db,
        user_id=job.user_id,
        job_id=job.subject_id,
        today=today_in(str(chosen["timezone"]), datetime.fromisoformat(now)),
        now=now,
        currencies=coded,
        may_make_currencies=bool(user and user.is_owner),
        default_currency=coded[str(chosen[CURRENCY])],
        made={kind: objects.load_keyed(db, job.user_id, job.subject_id, kind) for kind in kinds},
    )


def _make(db: Unit, job: Job, tasks: Sequence[Task], makers: Mapping[str, making.Maker], now: str) -> TakeoverStep:
    place = int(job.data["place"])
    workshop = _workshop(db, job, now)
    making.make(workshop, tasks[place : place + _MADE_AT_ONCE], makers)
    is_last = place + _MADE_AT_ONCE >= len(tasks)
    data = _after(job.data) if is_last else {**job.data, "place": place + _MADE_AT_ONCE}
    return TakeoverStep(data=data, findings=tuple(workshop.findings))


def _book(db: Unit, job: Job, found: TakeoverPart, now: str) -> TakeoverStep:
    target = targets.load(db, job.user_id, job.subject_id, found.books)
    keys = {one.key: targets.key_of(found.books.program, one.key) for one in found.transactions}
    known = memory.find_keys(db, job.user_id, NO_ACCOUNT, list(keys.values()))
    new = [one for one in found.transactions if keys[one.key] not in known]
    targets.make_helpers(db, job.user_id, new, target, now)
    composed, findings = _compose(new, target)
    booked = [entry for _, some in composed for entry in some]
    entry_ids = iter(record.record_all(db, job.user_id, booked, now, amount_field="amount") if booked else ())
    rows = [
        RowMemory(
            account_id=NO_ACCOUNT,
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
        read=len(found.transactions),
        new=len(composed),
        duplicate=len(found.transactions) - len(new),
        rejected=rejected,
    )
    place = int(job.data["place"]) + len(found.transactions)
    data = _after(job.data) if found.is_last else {**job.data, "place": place}
    return TakeoverStep(data=data, counts=counts, findings=tuple(findings), is_refused=bool(rejected))


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


def _save(db: Unit, job: Job, books: SourceBooks, now: str) -> TakeoverStep:
    """What was put into piggy banks by hand; transfers have filled them already."""
    findings = targets.add_piggy_bank_events(db, job.user_id, job.subject_id, books, now)
    return TakeoverStep(data=_after(job.data), findings=tuple(findings))


def _report(db: Unit, job: Job, books: SourceBooks) -> dict[str, Any]:
    coded = currencies.all_coded(db)
    accounts = targets.load_accounts(db, job.user_id, job.subject_id)
    proved = prove(db, job.user_id, job.subject_id, books, accounts, coded)
    return {"program": books.program, "counts": targets.count(db, job.user_id, job.subject_id, books), **proved}
