"""Imports files of banks: all rows are checked in a first pass, and planned and booked in a second."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from time import monotonic

from msgspec import Struct, field

from farthing.books.currencies import store as currencies
from farthing.storage.queue import Job, Waiting
from farthing.storage.unit import Unit

from ..findings import Finding
from ..import_jobs.model import ImportJob
from ..import_jobs.queueing import Phase
from ..rows import booking, imported_rows, own_accounts, plan
from ..rows.options import ImportCounts, LinkRows
from ..rows.own_accounts import OwnAccounts
from ..rows.plan import ImportPlan
from ..rows.settle import SettledRow, Settler
from ..statements import FileStart, StatementPart
from .foreign import ForeignParts
from .runner import ImportStep, Tools

# The number of rows that are checked between two updates of the progress.
_CHECKED_AT_ONCE = 5000

# Longer than this nobody waits for a part to be complete.
_TAKING_S = 0.25

Item = SettledRow | Finding


class CheckedRows(Struct, frozen=True, kw_only=True):
    """Holds checked rows; `wanted` counts for each typed transaction the rows that may match it."""

    items: list[Item]
    is_last: bool
    offer_counts: Mapping[int, int]


class PlannedRows(Struct, frozen=True, kw_only=True):
    """Holds a plan that is valid if nothing has changed since `revision`."""

    items: list[Item]
    is_last: bool
    plan: ImportPlan
    revision: int


class _Reading(Struct, kw_only=True):
    """Files that are being read, what has come of them, and how many items have been taken."""

    phase: Phase
    source: ForeignParts
    settler: Settler
    parts: deque[StatementPart | FileStart] = field(default_factory=deque)
    items: deque[Item] = field(default_factory=deque)
    position: int = 0

    def take(self, most: int) -> list[Item] | None:
        """Takes `most` items, fewer at the end; None if more must arrive first. Raises Unreadable."""
        until = monotonic() + _TAKING_S
        while len(self.items) < most and (self.parts or not self.source.is_at_end):
            if monotonic() > until:
                return None
            if self.parts:
                self.items.extend(self.settler.settle_part(self.parts.popleft()))
            elif some := self.source.take():
                self.parts.extend(some)
            elif not self.source.is_at_end:
                return None
        taken = [self.items.popleft() for _ in range(min(most, len(self.items)))]
        self.position += len(taken)
        return taken


class BankRowsRunner(Struct, kw_only=True):
    """Goes on reading from one part to the next; after a restart it reads up to where it was."""

    tools: Tools
    reading: _Reading | None = None

    def look(self, db: Unit, job: Job, import_job: ImportJob) -> CheckedRows | PlannedRows | Waiting:
        own = own_accounts.load(db, job.user_id)
        reading = self._continue(db, job, import_job, own)
        is_check = job.data["phase"] == Phase.CHECKING
        most = _CHECKED_AT_ONCE if is_check else self.tools.pace.rows
        items = self._catch_up(reading, int(job.data["place"])) and reading.take(most)
        if not isinstance(items, list):
            return Waiting()
        is_last = len(items) < most
        if is_check:
            return CheckedRows(
                items=items, is_last=is_last, offer_counts=_count_offers(db, job, import_job, own, items)
            )
        return PlannedRows(
            items=items,
            is_last=is_last,
            plan=_make_plan(db, job, import_job, own, items),
            revision=imported_rows.get_revision(db, job.user_id),
        )

    def write(self, db: Unit, job: Job, import_job: ImportJob, part: CheckedRows | PlannedRows, now: str) -> ImportStep:
        if isinstance(part, CheckedRows):
            return _check(job, import_job, part)
        return self._book(db, job, import_job, part, now)

    def close(self) -> None:
        if self.reading:
            self.reading.source.close()
        self.reading = None

    def _continue(self, db: Unit, job: Job, import_job: ImportJob, own: OwnAccounts) -> _Reading:
        """Continues the current reader, or opens a new one after another worker or for the second pass."""
        coded, reading = currencies.all_coded(db), self.reading
        if reading is None or reading.phase != job.data["phase"] or reading.position > int(job.data["place"]):
            self.close()
            reading = self.reading = _Reading(
                phase=Phase(job.data["phase"]),
                source=self.tools.readers.begin(db, job.user_id, import_job, self.tools.read_statements),
                settler=Settler(account_id=import_job.account_id, own=own, currencies=coded),
            )
        reading.settler.own, reading.settler.currencies = own, coded
        return reading

    def _catch_up(self, reading: _Reading, position: int) -> bool:
        """Reads up to the position of the job. Returns False if more has to be skipped first."""
        while reading.position < position:
            passed = reading.take(min(position - reading.position, _CHECKED_AT_ONCE))
            if not passed:
                return passed is not None
        return True

    def _book(self, db: Unit, job: Job, import_job: ImportJob, part: PlannedRows, now: str) -> ImportStep:
        assert db.author is not None, "a write takes its user first"
        is_partial = import_job.options.partial
        rejected = _list_rejected(part.items)
        if rejected and not is_partial:
            return ImportStep(data=job.data, findings=rejected, is_refused=True)
        planned = part.plan
        if part.revision + 1 != db.author.revision:
            own = own_accounts.load(db, job.user_id)
            if _have_accounts_changed(part.items, own):
                self.close()
                return ImportStep(data=job.data)
            planned = _make_plan(db, job, import_job, own, part.items)
        booked = booking.book(db, job.user_id, import_job.id, planned, now, partial=is_partial)
        of_rejected = ImportCounts(read=len(rejected), rejected=len(rejected))
        unsaid = tuple(finding for finding in rejected if finding not in import_job.findings)
        return ImportStep(
            data={**job.data, "place": int(job.data["place"]) + len(part.items)},
            counts=import_job.counts.plus(booked.counts).plus(of_rejected),
            findings=(*unsaid, *booked.findings),
            booked=len(part.items),
            is_done=part.is_last,
        )


def _check(job: Job, import_job: ImportJob, part: CheckedRows) -> ImportStep:
    """Checks rows; booking begins only after all of them are checked."""
    findings = [item for item in part.items if isinstance(item, Finding)]
    total = int(job.data["total"]) + sum(isinstance(item, SettledRow) or item.rejects for item in part.items)
    wrong = int(job.data["rejected"]) + len(_list_rejected(part.items))
    position = int(job.data["place"]) + len(part.items)
    offer_counts = Counter(job.data["wanted"]) + Counter(
        {str(entry): count for entry, count in part.offer_counts.items()}
    )
    data = {**job.data, "total": total, "rejected": wrong, "place": position, "wanted": dict(offer_counts)}
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
    return tuple(item for item in items if isinstance(item, Finding) and item.rejects)


def _list_settled(items: Sequence[Item]) -> list[SettledRow]:
    return [item for item in items if isinstance(item, SettledRow)]


def _have_accounts_changed(items: Sequence[Item], own: OwnAccounts) -> bool:
    """Tells whether an account was deleted, or its currency changed, since the rows were read."""
    settled = {row.account.id: row.account.currency for row in _list_settled(items)}
    currencies_now = {account_id: account.currency for account_id, account in own.by_id.items()}
    return any(currencies_now.get(account_id) != currency for account_id, currency in settled.items())


def _count_offers(
    db: Unit, job: Job, import_job: ImportJob, own: OwnAccounts, items: Sequence[Item]
) -> Mapping[int, int]:
    if import_job.options.link != LinkRows.SURE:
        return {}
    return plan.count_offers(db, job.user_id, own, import_job.options, _list_settled(items))


def _make_plan(db: Unit, job: Job, import_job: ImportJob, own: OwnAccounts, items: Sequence[Item]) -> ImportPlan:
    offer_counts = {int(entry_id): count for entry_id, count in job.data["wanted"].items()}
    return plan.make(db, job.user_id, own, import_job.options, _list_settled(items), offer_counts=offer_counts)
