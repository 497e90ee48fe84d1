"""Runs rules on stored transactions of a range of days, and books them again if asked.

Few are done at once, many by a job, some at a time. Whatever rules do, done again it changes nothing: so a job that
was killed may look at a transaction twice.
"""

import logging
from collections.abc import Sequence
from itertools import groupby
from math import inf
from time import perf_counter

import msgspec
from msgspec import Struct

from farthing.kernel.errors import Invalid
from farthing.storage import queue
from farthing.storage.queue import Job, JobProgress, JobStatus
from farthing.storage.unit import Unit

from ..bookkeeping import known as lookup
from ..bookkeeping import record
from ..transactions import drafts as stored_drafts
from ..transactions import lines, links
from ..transactions.model import Line, Lookup, TransactionDraft
from . import apply, candidates, engine, store
from .candidates import CandidateCursor, Scope
from .engine import Outcome, PreparedRule

_LOG = logging.getLogger("farthing.rules")
RULE_JOB, GROUP_JOB = "rules.trigger", "rule_groups.trigger"
# More candidates than this are left to a job.
AT_ONCE_MAX = 1000
# So are more changes than this, because others wait, and booking one again takes some milliseconds.
CHANGED_AT_ONCE_MAX = 100
# A job books so many transactions in one unit of work, but begins no further one when it has held the lock for this
# long: one takes some milliseconds, more on a busy machine.
BATCH = 10
HELD_S_MAX = 0.01
# To find the next changes, a job reads so many transactions at once, without a lock, and so often before it saves its
# cursor.
_READ_AT_ONCE = 50
_READS_MAX = 20


class RuleTrial(Struct, frozen=True):
    """A stored transaction, and what the rules make of it."""

    lines: tuple[Line, ...]
    before: TransactionDraft
    outcome: Outcome

    @property
    def entry_id(self) -> int:
        return self.lines[0].entry_id

    @property
    def changes(self) -> bool:
        return self.outcome.draft != self.before


class RuleTrialResult(Struct, frozen=True):
    """`failure`: the rules would have changed it, but it cannot be booked so."""

    tried: RuleTrial
    failure: str | None = None

    @property
    def changed(self) -> bool:
        return self.tried.changes and self.failure is None


def try_on(
    db: Unit, user_id: int, rules: Sequence[PreparedRule], entry_ids: list[int]
) -> tuple[list[RuleTrial], Lookup]:
    """In the order of the ids, and with all that the drafts refer to; a few queries, however many there are."""
    kept = links.of_entries(db, user_id, entry_ids)
    of_entry = groupby(lines.of_entries(db, user_id, list(kept)), key=lambda line: line.entry_id)
    groups = {entry_id: tuple(group) for entry_id, group in of_entry}
    known = lookup.look_up(
        db, user_id, stored_drafts.request_references((line for of in groups.values() for line in of), kept)
    )
    drafts = [stored_drafts.make_draft(groups[entry_id], kept[entry_id], known) for entry_id in kept]
    around = apply.find_surroundings(db, user_id, rules, kept)
    outcomes, known = apply.decide(db, user_id, rules, list(zip(drafts, around, strict=True)), known)
    tried = [RuleTrial(*one) for one in zip((groups[one] for one in kept), drafts, outcomes, strict=True)]
    return tried, known


def select_matched(tried: Sequence[RuleTrial]) -> list[RuleTrial]:
    """Those for which a rule fired, the newest first."""
    fired = [one for one in tried if one.outcome.fired]
    return sorted(fired, key=lambda one: (one.lines[0].on, one.entry_id), reverse=True)


def carry_out(
    db: Unit, user_id: int, tried: Sequence[RuleTrial], known: Lookup, now: str, *, until: float = inf
) -> list[RuleTrialResult]:
    """Books anew what changes. One that cannot be booked so stays as it is, and says why.

    After `until`, by `perf_counter`, the rest is left; one at least is done.
    """
    maker = record.Maker(db, user_id, known, now)
    done: list[RuleTrialResult] = []
    for one in tried:
        if done and perf_counter() > until:
            break
        failure = None
        if one.changes:
            trial = maker.copy()
            try:
                with db.savepoint():
                    record.rewrite(db, user_id, one.entry_id, trial.entry(one.outcome.draft), now)
                maker = trial
            except Invalid as refusal:
                failure = refusal.sentences
        done.append(RuleTrialResult(one, failure))
    return done


def leave_to_job(db: Unit, user_id: int, kind: str, subject_id: int, scope: Scope, now: str) -> None:
    data = {
        "start": scope.start,
        "end": scope.end,
        "accounts": list(scope.account_ids),
        "place": CandidateCursor().data,
    }
    queue.add(db, user_id, kind, subject_id, {**data, "changed": 0}, now)


class RunPart(Struct, frozen=True):
    """What changes next, in its order, how far it was looked, and whether there may be more behind it."""

    changing: list[CandidateCursor]
    place: CandidateCursor
    more: bool

    def after(self, booked: int) -> "RunPart":
        """The progress if only so many of the changes, the first ones, could be booked."""
        return self if booked == len(self.changing) else RunPart([], self.changing[booked - 1], more=True)


def write(db: Unit, job: Job, found: RunPart, now: str) -> JobProgress:
    """What changes is looked at once more under the lock, because it may have changed in between."""
    done, booked = _book(db, job, found.changing, now, perf_counter() + HELD_S_MAX)
    found = found.after(booked)
    changed = job.data["changed"] + sum(one.changed for one in done)
    if not found.more:
        _LOG.info("%s %d: changed %d transactions", job.kind, job.subject_id, changed)
    revisions = _note_revision(db, job) if any(one.changed for one in done) else {}
    data = {**job.data, "place": found.place.data, "changed": changed, **revisions}
    return JobProgress(data=data, more=found.more)


def _note_revision(db: Unit, job: Job) -> dict[str, int]:
    """The changes from the first to the last revision that this job made undo what it did."""
    assert db.author is not None, "a write takes its user first"
    revision = db.author.revision
    return {"first_revision": job.data.get("first_revision", revision), "last_revision": revision}


class RunProgress(Struct, frozen=True):
    """How far a run in the background has come; without revisions it has changed nothing yet."""

    start: str
    end: str
    changed: int
    first_revision: int | None = None
    last_revision: int | None = None


def find_last(db: Unit, user_id: int, kind: str, subject_id: int) -> tuple[JobStatus, RunProgress] | None:
    status = queue.find_last(db, user_id, kind, subject_id)
    return (status, msgspec.convert(status.data, RunProgress)) if status else None


def _book(
    db: Unit, job: Job, changing: Sequence[CandidateCursor], now: str, until: float
) -> tuple[list[RuleTrialResult], int]:
    """As many as the time allows, in their order; and how many places these are: some may be gone meanwhile."""
    rules = rules_of(db, job.user_id, job.kind, job.subject_id)
    found, known = try_on(db, job.user_id, rules, [one.entry_id for one in changing])
    tried = {one.entry_id: one for one in found}
    there = [place for place in changing if place.entry_id in tried]
    in_order = [tried[place.entry_id] for place in there]
    done = carry_out(db, job.user_id, in_order, known, now, until=until)
    log_failed(job.user_id, done)
    return done, changing.index(there[len(done)]) if len(done) < len(there) else len(changing)


def look(db: Unit, job: Job, _now: str) -> RunPart:
    """Finds the next transactions that the rules would change, without a lock."""
    scope = Scope(job.data["start"], job.data["end"], tuple(job.data["accounts"]))
    rules = rules_of(db, job.user_id, job.kind, job.subject_id)
    place = CandidateCursor.of(job)
    if not rules:
        return RunPart([], place, more=False)
    changing: list[CandidateCursor] = []
    for _ in range(_READS_MAX):
        found = candidates.after(db, job.user_id, scope, place, limit=_READ_AT_ONCE)
        tried, _ = try_on(db, job.user_id, rules, [one.entry_id for one in found])
        changes = {one.entry_id for one in tried if one.changes}
        for place in found:
            changing += [place] if place.entry_id in changes else []
            if len(changing) == BATCH:
                return RunPart(changing, place, more=True)
        if len(found) < _READ_AT_ONCE:
            return RunPart(changing, place, more=False)
    return RunPart(changing, place, more=True)


def rules_of(db: Unit, user_id: int, kind: str, subject_id: int) -> list[PreparedRule]:
    """One rule, whether it is active or not: it was asked for. Of a group only those that are active."""
    if kind == GROUP_JOB:
        return [engine.prepare(rule) for rule in store.active_of_group(db, user_id, subject_id)]
    rule = store.get(db, user_id, subject_id)
    return [engine.prepare(rule)] if rule else []


def log_failed(user_id: int, done: Sequence[RuleTrialResult]) -> None:
    apply.log_skipped(user_id, [one.tried.outcome for one in done])
    for one in done:
        if one.failure:
            facts = {"user_id": user_id, "entry_id": one.tried.entry_id}
            _LOG.warning("rules could not change a transaction: %s", one.failure, extra=facts)
