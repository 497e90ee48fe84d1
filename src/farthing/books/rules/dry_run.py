"""Finds out in a job, batch by batch, what rules would change, and stores these effects for a day.

The job reads without a lock and writes in short units of work. A new dry run of the same rule or group replaces the
previous one.
"""

from collections.abc import Sequence
from datetime import timedelta

import msgspec
from msgspec import Struct

from farthing.kernel.clock import shift
from farthing.storage import queue
from farthing.storage.queue import Job, JobProgress, JobStatus
from farthing.storage.turns import work_off
from farthing.storage.unit import Database, Unit

from ..transactions.model import Line, Lookup
from . import apply_stored, candidates
from .apply_stored import GROUP_JOB, RULE_JOB, RuleTrial
from .candidates import LATEST, CandidateCursor, Scope
from .engine import RuleMatch
from .foresee import foresee

RULE_KIND, GROUP_KIND = "rules.dry_run", "rule_groups.dry_run"
# Maps the job that applies rules to the job that tries them.
KINDS = {RULE_JOB: RULE_KIND, GROUP_JOB: GROUP_KIND}
KEPT_FOR = timedelta(days=1)
# The most effects stored per dry run; further changes are only counted.
KEPT_MAX = 10_000
# Transactions read per query, transactions read per batch, and changes found before a batch ends early.
_READ_AT_ONCE = 50
_LOOKED_AT_MAX = 1000
_WRITTEN_AT_ONCE = 100
# Outdated effects deleted per unit of work.
_FORGOTTEN_AT_ONCE = 500


class RuleEffect(Struct, frozen=True):
    """A transaction before and after the rules. `failure` says why the change could not be booked."""

    fired: tuple[RuleMatch, ...]
    before: tuple[Line, ...]
    after: tuple[Line, ...]
    changed: bool
    failure: str | None = None


class DryRunProgress(Struct, frozen=True):
    looked_at: int = 0
    matched: int = 0
    changed: int = 0
    kept: int = 0

    def plus(self, part: "DryRunPart") -> "DryRunProgress":
        return DryRunProgress(
            looked_at=self.looked_at + part.looked_at,
            matched=self.matched + part.matched,
            changed=self.changed + len(part.effects),
            kept=min(self.kept + len(part.effects), KEPT_MAX),
        )


def begin(db: Unit, user_id: int, kind: str, subject_id: int, scope: Scope, now: str) -> None:
    """Queues a dry run. `kind` is the kind of the job that would really apply the rules."""
    queue.disown(db, user_id, KINDS[kind], subject_id, now)
    queue.add(db, user_id, KINDS[kind], subject_id, {**scope.data, "place": LATEST.data}, now)


def call_off(db: Unit, user_id: int, kind: str, subject_id: int, now: str) -> None:
    """Cancels both the runs and the dry runs of a rule or group that is about to be deleted."""
    queue.cancel(db, user_id, kind, subject_id)
    queue.disown(db, user_id, KINDS[kind], subject_id, now)


def last(db: Unit, user_id: int, kind: str, subject_id: int, now: str) -> JobStatus | None:
    """Returns the latest dry run, unless it has expired."""
    status = queue.find_last(db, user_id, KINDS[kind], subject_id)
    return None if status and status.finished_at and status.finished_at <= _since(now) else status


def progress_of(status: Job | JobStatus) -> DryRunProgress:
    return msgspec.convert(status.data.get("progress", {}), DryRunProgress)


def page(db: Unit, user_id: int, job_id: int, *, limit: int, offset: int) -> list[RuleEffect]:
    sql = """
        SELECT told FROM dry_run_changes WHERE user_id = :user_id AND job_id = :job_id
        ORDER BY id LIMIT :limit OFFSET :offset
    """
    rows = db.all(sql, user_id=user_id, job_id=job_id, limit=limit, offset=offset)
    return [effect for (stored,) in rows if (effect := _read_effect(stored))]


def _read_effect(stored: str) -> RuleEffect | None:
    """Decodes a stored effect. Returns None if an earlier version wrote it in another format: effects expire within
    a day, so they are not migrated.
    """
    try:
        return msgspec.json.decode(stored, type=RuleEffect)
    except msgspec.ValidationError:
        return None


class DryRunPart(Struct, frozen=True):
    effects: list[RuleEffect]
    looked_at: int
    matched: int
    cursor: CandidateCursor
    more: bool


def write(db: Unit, job: Job, part: DryRunPart, _now: str) -> JobProgress:
    before = progress_of(job)
    after = before.plus(part)
    stored = [msgspec.json.encode(effect).decode() for effect in part.effects[: after.kept - before.kept]]
    sql = "INSERT INTO dry_run_changes (user_id, job_id, told) VALUES (:user_id, :job_id, :told)"
    db.many(sql, [(job.user_id, job.id, effect) for effect in stored])
    # Deletes a replaced dry run in portions, to keep the unit of work short.
    replaced_id = queue.find_disowned(db, job.user_id, list(KINDS.values()))
    if replaced_id:
        _forget_some(db, job.user_id, replaced_id)
    data = {**job.data, "place": part.cursor.data, "progress": msgspec.to_builtins(after)}
    return JobProgress(data=data, more=part.more)


def look(db: Unit, job: Job, now: str) -> DryRunPart:
    """Tries the rules on the next transactions; needs no lock, because it changes nothing."""
    scope = Scope.of(job)
    kind = next(kind for kind, dry in KINDS.items() if dry == job.kind)
    rules = apply_stored.rules_of(db, job.user_id, kind, job.subject_id)
    part = DryRunPart(effects=[], looked_at=0, matched=0, cursor=CandidateCursor.of(job), more=bool(rules))
    while part.more and part.looked_at < _LOOKED_AT_MAX and len(part.effects) < _WRITTEN_AT_ONCE:
        cursors = candidates.before(db, job.user_id, scope, part.cursor, limit=_READ_AT_ONCE)
        trials, lookup = apply_stored.try_on(db, job.user_id, rules, [cursor.entry_id for cursor in cursors])
        matched = apply_stored.select_matched(trials)
        part = DryRunPart(
            effects=part.effects
            + describe_effects(db, job.user_id, [trial for trial in matched if trial.changes], lookup, now),
            looked_at=part.looked_at + len(cursors),
            matched=part.matched + len(matched),
            cursor=cursors[-1] if cursors else part.cursor,
            more=len(cursors) == _READ_AT_ONCE,
        )
    return part


def describe_effects(db: Unit, user_id: int, trials: Sequence[RuleTrial], lookup: Lookup, now: str) -> list[RuleEffect]:
    after = foresee(db, user_id, trials, lookup, now)
    return [
        RuleEffect(
            fired=trial.outcome.fired,
            before=trial.lines,
            after=after.get(trial.entry_id, trial.lines),
            changed=trial.changes,
        )
        for trial in trials
    ]


def forget_old(database: Database, now: str) -> None:
    """Deletes the expired dry runs of all users."""

    def forget_some(db: Unit) -> int:
        old = queue.find_expired(db, list(KINDS.values()), _since(now))
        if old:
            _forget_some(db, *old)
        return int(old is not None)

    work_off(database, forget_some)


def _forget_some(db: Unit, user_id: int, job_id: int) -> None:
    """Deletes some effects of a dry run; once none are left, deletes the job."""
    sql = """
        DELETE FROM dry_run_changes WHERE user_id = :user_id AND id IN (
            SELECT id FROM dry_run_changes WHERE user_id = :user_id AND job_id = :job_id ORDER BY id LIMIT :limit
        )
    """
    deleted = db.run_and_count(sql, user_id=user_id, job_id=job_id, limit=_FORGOTTEN_AT_ONCE)
    if deleted < _FORGOTTEN_AT_ONCE:
        queue.remove(db, user_id, job_id)


def _since(now: str) -> str:
    return shift(now, -KEPT_FOR)
