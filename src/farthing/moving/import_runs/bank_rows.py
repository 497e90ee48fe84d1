"""Imports bank files. The first pass checks all rows; the second pass plans and books them."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from time import monotonic

from msgspec import Struct, field

from farthing.books.currencies import store as currencies
from farthing.storage.queue import Waiting

from ..findings import Finding
from ..import_jobs.queueing import Phase
from ..rows import booking, imported_rows, own_accounts, plan
from ..rows.options import ImportCounts, LinkRows
from ..rows.own_accounts import OwnAccounts
from ..rows.plan import ImportPlan
from ..rows.settle import SettledRow, Settler
from ..statements import FileStart, StatementPart
from .reader_processes import ReaderParts
from .runner import ImportStep, Tools
from .turn import ImportTurn

# The number of rows that are checked between two updates of the progress.
_CHECKED_AT_ONCE = 5000
# The longest time to wait for a complete part.
_TAKING_S = 0.25
Item = SettledRow | Finding


class CheckedRows(Struct, frozen=True, kw_only=True):
    """Holds checked rows. `offer_counts` counts the rows that may match each transaction that the user entered."""

    items: list[Item]
    is_last: bool
    offer_counts: Mapping[int, int]


class PlannedRows(Struct, frozen=True, kw_only=True):
    """Holds rows with a plan for booking them, which is valid only if the books are unchanged since `revision`."""

    items: list[Item]
    is_last: bool
    plan: ImportPlan
    revision: int


class _Reading(Struct, kw_only=True):
    """Tracks files that are being read: the parts that have arrived, and how many items have been taken."""

    phase: Phase
    source: ReaderParts
    settler: Settler
    parts: deque[StatementPart | FileStart] = field(default_factory=deque)
    items: deque[Item] = field(default_factory=deque)
    position: int = 0

    def take(self, most: int) -> list[Item] | None:
        """Takes `most` items, or fewer at the end. Returns None if too few have arrived yet. Raises Unreadable."""
        until = monotonic() + _TAKING_S
        while len(self.items) < most and (self.parts or not self.source.is_at_end):
            if monotonic() > until:
                return None
            if self.parts:
                self.items.extend(self.settler.settle(self.parts.popleft()))
            elif some := self.source.take():
                self.parts.extend(some)
            elif not self.source.is_at_end:
                return None
        taken = [self.items.popleft() for _ in range(min(most, len(self.items)))]
        self.position += len(taken)
        return taken


class BankRowsRunner(Struct, kw_only=True):
    """Continues reading from one turn to the next. After a restart, it first skips what was read before."""

    tools: Tools
    reading: _Reading | None = None

    @property
    def phases(self) -> tuple[Phase, ...]:
        return Phase.CHECKING, Phase.BOOKING

    def look(self, turn: ImportTurn) -> CheckedRows | PlannedRows | Waiting:
        own = own_accounts.load(turn.db, turn.user_id)
        reading = self._continue(turn, own)
        is_check = turn.phase == Phase.CHECKING
        most = _CHECKED_AT_ONCE if is_check else self.tools.pace.rows
        items = _catch_up(reading, turn.position) and reading.take(most)
        if not isinstance(items, list):
            return Waiting()
        is_last = len(items) < most
        if is_check:
            return CheckedRows(items=items, is_last=is_last, offer_counts=_count_offers(turn, own, items))
        revision = imported_rows.get_revision(turn.db, turn.user_id)
        return PlannedRows(items=items, is_last=is_last, plan=_make_plan(turn, own, items), revision=revision)

    def write(self, turn: ImportTurn, part: CheckedRows | PlannedRows) -> ImportStep:
        return _check(turn, part) if isinstance(part, CheckedRows) else self._book(turn, part)

    def close(self) -> None:
        if self.reading:
            self.reading.source.close()
        self.reading = None

    def _continue(self, turn: ImportTurn, own: OwnAccounts) -> _Reading:
        """Continues with the current reader, or opens a new one for the second pass or after another worker's turn."""
        coded, reading = currencies.all_coded(turn.db), self.reading
        if reading is None or reading.phase != turn.phase or reading.position > turn.position:
            self.close()
            reading = self.reading = _Reading(
                phase=turn.phase,
                source=self.tools.readers.begin(turn, self.tools.read_statements),
                settler=Settler(
                    account_id=turn.import_job.account_id,
                    own=own,
                    currencies=coded,
                    finds_payees=turn.import_job.has_only_descriptions,
                ),
            )
        reading.settler.own, reading.settler.currencies = own, coded
        return reading

    def _book(self, turn: ImportTurn, part: PlannedRows) -> ImportStep:
        author, is_partial = turn.db.author, turn.import_job.options.partial
        assert author is not None, "a write takes its user first"
        rejected = _list_rejected(part.items)
        if rejected and not is_partial:
            return ImportStep(findings=rejected, is_refused=True)
        planned = part.plan
        if part.revision + 1 != author.revision:
            own = own_accounts.load(turn.db, turn.user_id)
            if _have_accounts_changed(part.items, own):
                self.close()
                return ImportStep(position=turn.position)
            planned = _make_plan(turn, own, part.items)
        db, user_id, job_id = turn.db, turn.user_id, turn.import_job.id
        counts, remarks = booking.book(db, user_id, job_id, planned, turn.now, partial=is_partial)
        of_rejected = ImportCounts(read=len(rejected), rejected=len(rejected))
        unsaid = tuple(finding for finding in rejected if finding not in turn.import_job.findings)
        return ImportStep(
            position=None if part.is_last else turn.position + len(part.items),
            counts=turn.import_job.counts.plus(counts).plus(of_rejected),
            findings=(*unsaid, *remarks),
            booked=len(part.items),
        )


def _catch_up(reading: _Reading, position: int) -> bool:
    """Skips items up to the position of the job. Returns False if not all of these have arrived yet."""
    while reading.position < position:
        passed = reading.take(min(position - reading.position, _CHECKED_AT_ONCE))
        if not passed:
            return passed is not None
    return True


def _check(turn: ImportTurn, part: CheckedRows) -> ImportStep:
    """Records the results of checking rows. Booking begins only after all rows are checked."""
    data, rejected = turn.job.data, _list_rejected(part.items)
    findings = tuple(item for item in part.items if isinstance(item, Finding))
    total = int(data["total"]) + len(_list_settled(part.items)) + len(rejected)
    wrong = int(data["rejected"]) + len(rejected)
    offer_counts = Counter(data["wanted"]) + Counter({str(entry): count for entry, count in part.offer_counts.items()})
    if part.is_last and not total:
        findings = (*findings, Finding(message="This file contains no rows to import."))
    return ImportStep(
        position=None if part.is_last else turn.position + len(part.items),
        data={"total": total, "rejected": wrong, "wanted": dict(offer_counts)},
        findings=findings,
        total=total,
        rejected=wrong if part.is_last else 0,
    )


def _list_rejected(items: Sequence[Item]) -> tuple[Finding, ...]:
    return tuple(item for item in items if isinstance(item, Finding) and item.rejects)


def _list_settled(items: Sequence[Item]) -> list[SettledRow]:
    return [item for item in items if isinstance(item, SettledRow)]


def _have_accounts_changed(items: Sequence[Item], own: OwnAccounts) -> bool:
    """Checks whether an account of the rows was deleted, or got another currency, since the rows were read."""
    settled = {row.account.id: row.account.currency for row in _list_settled(items)}
    currencies_now = {account_id: account.currency for account_id, account in own.by_id.items()}
    return any(currencies_now.get(account_id) != currency for account_id, currency in settled.items())


def _count_offers(turn: ImportTurn, own: OwnAccounts, items: Sequence[Item]) -> Mapping[int, int]:
    options = turn.import_job.options
    if options.link != LinkRows.SURE:
        return {}
    return plan.count_offers(turn.db, turn.user_id, own, options, _list_settled(items))


def _make_plan(turn: ImportTurn, own: OwnAccounts, items: Sequence[Item]) -> ImportPlan:
    offer_counts = {int(entry_id): count for entry_id, count in turn.job.data["wanted"].items()}
    options, settled = turn.import_job.options, _list_settled(items)
    return plan.make(turn.db, turn.user_id, own, options, settled, offer_counts=offer_counts)
