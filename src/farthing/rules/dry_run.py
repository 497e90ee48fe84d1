"""What would rules change, where there is much to look at? A job finds out, part by part, and keeps it for a day.

It reads without a lock and writes down what it found in short units of work. Another dry run of the same rule or group
takes the place of the one before.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import msgspec

from ..clock import moved
from ..jobs import queue
from ..jobs.queue import Held, Job, Status
from ..storage.unit import Database, Unit
from ..transactions.model import Known, Line
from ..users import store as users
from . import candidates, findings, trigger
from .candidates import LATEST, Place, Scope
from .engine import Fired
from .foresee import foreseen
from .trigger import GROUP_JOB, RULE_JOB, Tried

RULE_KIND, GROUP_KIND = "rules.dry_run", "rule_groups.dry_run"
# The dry run of what applies the rules for good.
KINDS = {RULE_JOB: RULE_KIND, GROUP_JOB: GROUP_KIND}
KEPT_FOR = timedelta(days=1)
# More changes than this are counted, but not kept.
KEPT_MAX = 10_000
# So many are read at once, without a lock, and so many in one part; a part writes down about so many changes.
_READ_AT_ONCE = 50
_LOOKED_AT_MAX = 1000
_WRITTEN_AT_ONCE = 100
# So many that nobody wants any more are put away at once.
_FORGOTTEN_AT_ONCE = 500


@dataclass(frozen=True)
class Told:
    """A transaction before and after rules. `failure`: why it could not be booked as they would have it."""

    fired: tuple[Fired, ...]
    before: tuple[Line, ...]
    after: tuple[Line, ...]
    changed: bool
    failure: str | None = None


@dataclass(frozen=True)
class Progress:
    looked_at: int = 0
    matched: int = 0
    changed: int = 0
    kept: int = 0

    def plus(self, told: Sequence[Told], looked_at: int, matched: int) -> "Progress":
        kept = min(self.kept + len(told), KEPT_MAX)
        return Progress(self.looked_at + looked_at, self.matched + matched, self.changed + len(told), kept)


def begin(db: Unit, user_id: int, kind: str, subject_id: int, scope: Scope, now: str) -> None:
    """`kind` is that of the job which would apply the rules."""
    queue.disown(db, user_id, KINDS[kind], subject_id, now)
    data = {"start": scope.start, "end": scope.end, "accounts": list(scope.account_ids), "place": list(LATEST)}
    queue.add(db, user_id, KINDS[kind], subject_id, data, now)


def call_off(db: Unit, user_id: int, kind: str, subject_id: int, now: str) -> None:
    """The rule or the group goes: it is neither applied any more, nor tried."""
    queue.cancel(db, user_id, kind, subject_id)
    queue.disown(db, user_id, KINDS[kind], subject_id, now)


def last(db: Unit, user_id: int, kind: str, subject_id: int, now: str) -> Status | None:
    """The last one, as long as what it found is kept."""
    status = queue.last(db, user_id, KINDS[kind], subject_id)
    return None if status and status.finished_at and status.finished_at <= _since(now) else status


def progress_of(status: Job | Status) -> Progress:
    return msgspec.convert(status.data.get("progress", {}), Progress)


def page(db: Unit, user_id: int, job_id: int, *, limit: int, offset: int) -> list[Told]:
    return [
        msgspec.json.decode(one, type=Told) for one in findings.page(db, user_id, job_id, limit=limit, offset=offset)
    ]


@dataclass(frozen=True)
class _Part:
    told: list[Told]
    looked_at: int
    matched: int
    place: Place
    more: bool


def step(database: Database, job: Job, held: Held) -> Job | None:
    """A part of the work of one job; None when nothing is left of it, or it is no longer ours."""
    with database.reading() as db:
        part = _looked(db, job, held.now)
    before = progress_of(job)
    after = before.plus(part.told, part.looked_at, part.matched)
    told = [msgspec.json.encode(one).decode() for one in part.told[: after.kept - before.kept]]
    job = replace(job, data={**job.data, "place": list(part.place), "progress": msgspec.to_builtins(after)})
    with database.writing() as db:
        users.take(db, job.user_id, token_id=None, now=held.now, doing=job.kind)
        if not queue.is_held(db, job, held):
            return None
        findings.add(db, job, told)
        _forget_others(db, job)
        queue.keep(db, job, held)
        if not part.more:
            queue.finish(db, job, held)
            return None
    return job


def _looked(db: Unit, job: Job, now: str) -> _Part:
    scope = Scope(job.data["start"], job.data["end"], tuple(job.data["accounts"]))
    kind = next(kind for kind, dry in KINDS.items() if dry == job.kind)
    rules = trigger.rules_of(db, job.user_id, kind, job.subject_id)
    part = _Part([], 0, 0, Place(*job.data["place"]), more=bool(rules))
    while part.more and part.looked_at < _LOOKED_AT_MAX and len(part.told) < _WRITTEN_AT_ONCE:
        places = candidates.before(db, job.user_id, scope, part.place, limit=_READ_AT_ONCE)
        tried, known = trigger.try_on(db, job.user_id, rules, [one.entry_id for one in places])
        matched = trigger.matched(tried)
        part = _Part(
            part.told + told_of(db, job.user_id, [one for one in matched if one.changes], known, now),
            part.looked_at + len(places),
            part.matched + len(matched),
            places[-1] if places else part.place,
            more=len(places) == _READ_AT_ONCE,
        )
    return part


def told_of(db: Unit, user_id: int, tried: Sequence[Tried], known: Known, now: str) -> list[Told]:
    after = foreseen(db, user_id, tried, known, now)
    return [
        Told(one.outcome.fired, one.lines, after.get(one.entry_id, one.lines), changed=one.changes) for one in tried
    ]


def _forget_others(db: Unit, job: Job) -> None:
    """Some of what an earlier one found, which this one takes the place of: not all at once, lest others wait."""
    other_id = queue.disowned(db, job.user_id, list(KINDS.values()))
    if other_id:
        _forget_some(db, job.user_id, other_id)


def forget_old(database: Database, now: str) -> None:
    """Everybody's whose day is over."""
    while True:
        with database.writing() as db:
            old = queue.over(db, list(KINDS.values()), _since(now))
            if old is None:
                return
            _forget_some(db, *old)


def _forget_some(db: Unit, user_id: int, job_id: int) -> None:
    """With the last of its findings the job goes, too."""
    if findings.forget_some(db, user_id, job_id, limit=_FORGOTTEN_AT_ONCE) < _FORGOTTEN_AT_ONCE:
        queue.remove(db, user_id, job_id)


def _since(now: str) -> str:
    return moved(now, -KEPT_FOR)
