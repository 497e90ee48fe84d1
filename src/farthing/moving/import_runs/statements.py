"""Imports files of banks: all rows are checked in a first pass, and planned and booked in a second."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice

from msgspec import Struct

from farthing.books.currencies import store as currencies
from farthing.storage.blobs import Blobs
from farthing.storage.queue import Job
from farthing.storage.unit import Unit

from ..findings import Finding
from ..import_jobs.model import ImportJob
from ..import_jobs.queueing import Phase
from ..import_jobs.reading import NamedFile
from ..rows import memory, own_accounts, plan
from ..rows.carry_out import carry_out
from ..rows.options import ImportCounts, LinkRows
from ..rows.own_accounts import OwnAccounts
from ..rows.plan import Plan
from ..rows.settle import SettledRow, Settler
from ..statements import FileStart, StatementPart
from .files import open_files
from .step import ImportStep, Pace

# So many rows are checked between two signs of life.
_CHECKED_AT_ONCE = 5000

Item = SettledRow | Finding
ReadStatements = Callable[[ImportJob, Sequence[NamedFile]], Iterator[StatementPart | FileStart]]


class CheckedRows(Struct, frozen=True, kw_only=True):
    """`wanted`: by how many of these rows each transaction that somebody typed is wanted."""

    items: list[Item]
    is_last: bool
    wanted: Mapping[int, int]


class PlannedRows(Struct, frozen=True, kw_only=True):
    """The plan serves if nothing has changed since `revision`."""

    items: list[Item]
    is_last: bool
    plan: Plan
    revision: int


class _Reading(Struct, kw_only=True):
    """Open files, and how many items have been taken from them."""

    job_id: int
    phase: Phase
    items: Iterator[Item]
    settler: Settler
    files: ExitStack
    place: int = 0

    def take(self, most: int) -> list[Item]:
        items = list(islice(self.items, most))
        self.place += len(items)
        return items


class StatementRunner:
    """Keeps the files open from one part to the next; after a restart it reads up to where it was."""

    def __init__(self, blobs: Blobs, read: ReadStatements, pace: Pace) -> None:
        self._blobs = blobs
        self._read = read
        self._pace = pace
        self._reading: _Reading | None = None

    def look(self, db: Unit, job: Job, import_job: ImportJob) -> CheckedRows | PlannedRows:
        own = own_accounts.load(db, job.user_id)
        reading = self._continue(db, job, import_job, own)
        if job.data["phase"] == Phase.CHECKING:
            items = reading.take(_CHECKED_AT_ONCE)
            wanted = _count_wanted(db, job, import_job, own, items)
            return CheckedRows(items=items, is_last=len(items) < _CHECKED_AT_ONCE, wanted=wanted)
        most = self._pace.rows
        items = reading.take(most)
        return PlannedRows(
            items=items,
            is_last=len(items) < most,
            plan=_make_plan(db, job, import_job, own, items),
            revision=memory.get_revision(db, job.user_id),
        )

    def write(self, db: Unit, job: Job, import_job: ImportJob, part: CheckedRows | PlannedRows, now: str) -> ImportStep:
        if isinstance(part, CheckedRows):
            return _check(job, import_job, part)
        return self._book(db, job, import_job, part, now)

    def close(self) -> None:
        if self._reading:
            self._reading.files.close()
        self._reading = None

    def _continue(self, db: Unit, job: Job, import_job: ImportJob, own: OwnAccounts) -> _Reading:
        """The reader where it stopped; a new one where another worker stopped, or for the second pass."""
        place = int(job.data["place"])
        reading = self._reading
        if reading is None or (reading.job_id, reading.phase, reading.place) != (job.id, job.data["phase"], place):
            self.close()
            reading = self._reading = self._open(db, job, import_job, own)
            for _ in islice(reading.items, place):
                pass
            reading.place = place
        reading.settler.renew(own, currencies.all_coded(db))
        return reading

    def _open(self, db: Unit, job: Job, import_job: ImportJob, own: OwnAccounts) -> _Reading:
        settler = Settler(own, import_job.account_id, currencies.all_coded(db))
        with ExitStack() as opened:
            files = open_files(db, self._blobs, job.user_id, import_job, opened)
            return _Reading(
                job_id=job.id,
                phase=Phase(job.data["phase"]),
                items=settler.settle(self._read(import_job, files)),
                settler=settler,
                files=opened.pop_all(),
            )

    def _book(self, db: Unit, job: Job, import_job: ImportJob, part: PlannedRows, now: str) -> ImportStep:
        assert db.author is not None, "a write takes its user first"
        partial = import_job.options.partial
        rejected = _list_rejected(part.items)
        if rejected and not partial:
            return ImportStep(data=job.data, findings=rejected, is_refused=True)
        planned = part.plan
        if part.revision + 1 != db.author.revision:
            own = own_accounts.load(db, job.user_id)
            if _have_accounts_changed(part.items, own):
                self.close()
                return ImportStep(data=job.data)
            planned = _make_plan(db, job, import_job, own, part.items)
        booked = carry_out(db, job.user_id, import_job.id, planned, now, partial=partial)
        of_rejected = ImportCounts(read=len(rejected), rejected=len(rejected))
        unsaid = tuple(one for one in rejected if one not in import_job.findings)
        return ImportStep(
            data={**job.data, "place": int(job.data["place"]) + len(part.items)},
            counts=import_job.counts.plus(booked.counts).plus(of_rejected),
            findings=(*unsaid, *booked.findings),
            booked=len(part.items),
            is_done=part.is_last,
        )


def _check(job: Job, import_job: ImportJob, part: CheckedRows) -> ImportStep:
    """Nothing is booked before all rows are known to be right."""
    findings = [one for one in part.items if isinstance(one, Finding)]
    total = int(job.data["total"]) + sum(isinstance(one, SettledRow) or one.rejects for one in part.items)
    wrong = int(job.data["rejected"]) + len(_list_rejected(part.items))
    place = int(job.data["place"]) + len(part.items)
    wanted = Counter(job.data["wanted"]) + Counter({str(entry): count for entry, count in part.wanted.items()})
    data = {**job.data, "total": total, "rejected": wrong, "place": place, "wanted": dict(wanted)}
    if not part.is_last:
        return ImportStep(data=data, findings=tuple(findings), total=total)
    if not total:
        findings.append(Finding(message="There is no row to import in this file."))
    is_refused = bool(wrong) and not import_job.options.partial
    return ImportStep(
        data={**data, "place": 0, "phase": Phase.BOOKING},
        counts=ImportCounts(read=total, rejected=wrong) if is_refused else None,
        findings=tuple(findings),
        total=total,
        is_refused=is_refused,
    )


def _list_rejected(items: Sequence[Item]) -> tuple[Finding, ...]:
    return tuple(one for one in items if isinstance(one, Finding) and one.rejects)


def _list_settled(items: Sequence[Item]) -> list[SettledRow]:
    return [one for one in items if isinstance(one, SettledRow)]


def _have_accounts_changed(items: Sequence[Item], own: OwnAccounts) -> bool:
    """Since the rows were read: deleted, or kept in another currency."""
    settled = {one.account.id: one.account.currency for one in _list_settled(items)}
    there = {account_id: account.currency for account_id, account in own.by_id.items()}
    return any(there.get(account_id) != currency for account_id, currency in settled.items())


def _count_wanted(
    db: Unit, job: Job, import_job: ImportJob, own: OwnAccounts, items: Sequence[Item]
) -> Mapping[int, int]:
    if import_job.options.link != LinkRows.SURE:
        return {}
    return plan.count_wanted(db, job.user_id, own, import_job.options, _list_settled(items))


def _make_plan(db: Unit, job: Job, import_job: ImportJob, own: OwnAccounts, items: Sequence[Item]) -> Plan:
    wanted = {int(entry_id): count for entry_id, count in job.data["wanted"].items()}
    return plan.make(db, job.user_id, own, import_job.options, _list_settled(items), wanted=wanted)
