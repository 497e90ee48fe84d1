"""Runs rules on stored transactions of a range of days and, if requested, books the changes.

A few changes are booked immediately, many in a job, in batches. Running the same rules again changes nothing, so a job
that was killed may safely try a transaction twice.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby
from math import inf
from time import perf_counter

import msgspec
from msgspec import Struct

from farthing.kernel.errors import Invalid
from farthing.storage import queue
from farthing.storage.change_log import changes
from farthing.storage.queue import Job, JobProgress, JobStatus
from farthing.storage.unit import Unit

from ..bookkeeping import record
from ..bookkeeping.lookup import look_up
from ..transactions import drafts as stored_drafts
from ..transactions import lines, links
from ..transactions.model import Line, Lookup, TransactionDraft
from . import apply, candidates, engine, store
from .candidates import CandidateCursor, Scope
from .engine import PreparedRule, RuleOutcome

_LOG = logging.getLogger("farthing.rules")
RULE_JOB, GROUP_JOB = "rules.trigger", "rule_groups.trigger"
# If there are more candidates or changes than this, a job does the work, because booking a change takes milliseconds.
AT_ONCE_MAX = 1000
# How many transactions of a range a test reads at most, beginning with the newest, and which range it has by default.
TESTED_MAX = 5000
TEST_RANGE = timedelta(days=365)
CHANGED_AT_ONCE_MAX = 100
# In one unit of work, a job books at most this many transactions, and starts no further transaction once it has held
# the lock for this long.
BATCH = 10
HELD_S_MAX = 0.01
# How many transactions a job reads per query, without a lock, and how many queries it makes before it saves its cursor.
_READ_AT_ONCE = 50
_READS_MAX = 20


class RuleTrial(Struct, frozen=True):
    """Pairs a stored transaction with the result of trying the rules on it."""

    lines: tuple[Line, ...]
    before: TransactionDraft
    outcome: RuleOutcome

    @property
    def entry_id(self) -> int:
        return self.lines[0].entry_id

    @property
    def changes(self) -> bool:
        return self.outcome.draft != self.before


class RuleTrialResult(Struct, frozen=True):
    """`failure` says why the change could not be booked; None if it was booked or there was nothing to change."""

    trial: RuleTrial
    failure: str | None = None

    @property
    def changed(self) -> bool:
        return self.trial.changes and self.failure is None


def try_on(
    db: Unit, user_id: int, rules: Sequence[PreparedRule], entry_ids: list[int]
) -> tuple[list[RuleTrial], Lookup]:
    """Tries the rules on entries, in order of id. Also returns a lookup of everything that the drafts refer to."""
    links_by_entry = links.of_entries(db, user_id, entry_ids)
    of_entry = groupby(lines.of_entries(db, user_id, list(links_by_entry)), key=lambda line: line.entry_id)
    groups = {entry_id: tuple(group) for entry_id, group in of_entry}
    ordered = [groups[entry_id] for entry_id in links_by_entry]
    references = stored_drafts.request_references((line for group in ordered for line in group), links_by_entry)
    lookup = look_up(db, user_id, references)
    pairs = zip(ordered, links_by_entry.values(), strict=True)
    drafts = [stored_drafts.make_draft(group, entry_links, lookup) for group, entry_links in pairs]
    around = apply.find_surroundings(db, user_id, rules, links_by_entry)
    outcomes, lookup = apply.decide(db, user_id, rules, list(zip(drafts, around, strict=True)), lookup)
    return [RuleTrial(*trial) for trial in zip(ordered, drafts, outcomes, strict=True)], lookup


def select_matched(trials: Sequence[RuleTrial]) -> list[RuleTrial]:
    """Selects the trials in which a rule fired, newest first."""
    fired = [trial for trial in trials if trial.outcome.fired]
    return sorted(fired, key=lambda trial: (trial.lines[0].on, trial.entry_id), reverse=True)


def carry_out(
    db: Unit, user_id: int, trials: Sequence[RuleTrial], lookup: Lookup, now: str, *, until: float = inf
) -> list[RuleTrialResult]:
    """Books the changes. A transaction that cannot be booked stays as it is, and its result says why.

    Handles at least one trial, and starts no further one once `perf_counter` has passed `until`.
    """
    maker = record.EntryMaker(db, user_id, lookup, now)
    done: list[RuleTrialResult] = []
    for trial in trials:
        if done and perf_counter() > until:
            break
        failure = None
        if trial.changes:
            attempt = maker.copy()
            try:
                with db.savepoint():
                    record.rewrite(db, user_id, trial.entry_id, attempt.entry(trial.outcome.draft), now)
                maker = attempt
            except Invalid as refusal:
                failure = refusal.sentences
        done.append(RuleTrialResult(trial, failure))
    return done


def find_matching(
    db: Unit, user_id: int, kind: str, subject_id: int, scope: Scope, *, most: int
) -> tuple[list[RuleTrial], int, bool]:
    """Returns the newest transactions that rules match, how many were examined, and whether these are all of the range.

    Examines the newest `most` transactions.
    """
    newest = candidates.newest(db, user_id, scope, limit=most + 1)
    looked_at = [candidate.entry_id for candidate in newest[:most]]
    trials, _ = try_on(db, user_id, rules_of(db, user_id, kind, subject_id), looked_at)
    return select_matched(trials), len(looked_at), len(newest) <= most


class AppliedRules(Struct, frozen=True):
    """The results for the transactions that rules matched, and the number of transactions examined."""

    results: list[RuleTrialResult]
    looked_at: int


def apply_at_once(db: Unit, user_id: int, kind: str, subject_id: int, scope: Scope, now: str) -> AppliedRules | None:
    """Applies rules to a range of days. If there are many transactions, leaves this to a job, and returns None."""
    newest = candidates.newest(db, user_id, scope, limit=AT_ONCE_MAX + 1)
    rules = rules_of(db, user_id, kind, subject_id)
    done = None
    if len(newest) <= AT_ONCE_MAX and not apply.are_many(rules, len(newest)):
        trials, lookup = try_on(db, user_id, rules, [candidate.entry_id for candidate in newest])
        matched = select_matched(trials)
        if sum(trial.changes for trial in matched) <= CHANGED_AT_ONCE_MAX:
            done = AppliedRules(carry_out(db, user_id, matched, lookup, now), len(newest))
            log_failed(user_id, done.results)
    if done is None:
        leave_to_job(db, user_id, kind, subject_id, scope, now)
    changes.hide_if_empty(db)
    return done


def leave_to_job(db: Unit, user_id: int, kind: str, subject_id: int, scope: Scope, now: str) -> None:
    data = {**scope.data, "place": CandidateCursor().data, "changed": 0}
    queue.add(db, user_id, kind, subject_id, data, now)


class RunPart(Struct, frozen=True):
    """The next transactions that the rules would change, the last transaction tried, and whether more may follow."""

    changing: list[CandidateCursor]
    cursor: CandidateCursor
    more: bool

    def after(self, booked: int) -> "RunPart":
        """Returns the progress if only the first `booked` changes were booked."""
        return self if booked == len(self.changing) else RunPart([], self.changing[booked - 1], more=True)


def write(db: Unit, job: Job, part: RunPart, now: str) -> JobProgress:
    """Books the changes. First tries the rules again under the lock, because rules or entries may have changed."""
    results, booked = _book(db, job, part.changing, now, perf_counter() + HELD_S_MAX)
    part = part.after(booked)
    changed = job.data["changed"] + sum(result.changed for result in results)
    if not part.more:
        _LOG.info("%s %d: changed %d transactions", job.kind, job.subject_id, changed)
    data = {**job.data, "place": part.cursor.data, "changed": changed}
    if any(result.changed for result in results):
        assert db.author is not None, "a write takes its user first"
        # Undoing all changes from the first to the last revision reverts the job.
        data = {"first_revision": db.author.revision, **data, "last_revision": db.author.revision}
    return JobProgress(data=data, more=part.more)


class RunProgress(Struct, frozen=True):
    """Reports the progress of a run in the background. The revisions are None until the run has changed something."""

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
    """Books as many changes as time allows. Also returns how many items of `changing` are done; transactions that
    have been deleted in the meantime count as done.
    """
    rules = rules_of(db, job.user_id, job.kind, job.subject_id)
    trials, lookup = try_on(db, job.user_id, rules, [cursor.entry_id for cursor in changing])
    by_entry = {trial.entry_id: trial for trial in trials}
    existing = [cursor for cursor in changing if cursor.entry_id in by_entry]
    in_order = [by_entry[cursor.entry_id] for cursor in existing]
    results = carry_out(db, job.user_id, in_order, lookup, now, until=until)
    log_failed(job.user_id, results)
    return results, changing.index(existing[len(results)]) if len(results) < len(existing) else len(changing)


def look(db: Unit, job: Job, _now: str) -> RunPart:
    """Finds the next transactions that the rules would change, without a lock."""
    scope = Scope.of(job)
    rules = rules_of(db, job.user_id, job.kind, job.subject_id)
    cursor = CandidateCursor.of(job)
    if not rules:
        return RunPart([], cursor, more=False)
    changing: list[CandidateCursor] = []
    for _ in range(_READS_MAX):
        batch = candidates.after(db, job.user_id, scope, cursor, limit=_READ_AT_ONCE)
        trials, _ = try_on(db, job.user_id, rules, [candidate.entry_id for candidate in batch])
        changes = {trial.entry_id for trial in trials if trial.changes}
        for cursor in batch:
            changing += [cursor] if cursor.entry_id in changes else []
            if len(changing) == BATCH:
                return RunPart(changing, cursor, more=True)
        if len(batch) < _READ_AT_ONCE:
            return RunPart(changing, cursor, more=False)
    return RunPart(changing, cursor, more=True)


def rules_of(db: Unit, user_id: int, kind: str, subject_id: int) -> list[PreparedRule]:
    """Returns the active rules of a group, or the single rule of the job; a single rule need not be active."""
    if kind == GROUP_JOB:
        return [engine.prepare(rule) for rule in store.active_of_group(db, user_id, subject_id)]
    rule = store.get(db, user_id, subject_id)
    return [engine.prepare(rule)] if rule else []


def log_failed(user_id: int, results: Sequence[RuleTrialResult]) -> None:
    apply.log_skipped(user_id, [result.trial.outcome for result in results])
    for result in results:
        if result.failure:
            facts = {"user_id": user_id, "entry_id": result.trial.entry_id}
            _LOG.warning("rules could not change a transaction: %s", result.failure, extra=facts)
