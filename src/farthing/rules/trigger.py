"""What do rules make of transactions that are there already? Tried on a range of days, and booked anew if asked.

Few are done at once, many by a job, some at a time. Whatever rules do, done again it changes nothing: so a job that
was killed may look at a transaction twice.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf
from time import perf_counter

from ..errors import Invalid
from ..jobs import queue
from ..jobs.queue import Held, Job
from ..storage.unit import Database, Unit
from ..transactions import known as lookup
from ..transactions import lines, links, record, redraft
from ..transactions.model import Draft, Known, Line
from ..users import store as users
from . import apply, candidates, engine, store
from .candidates import Place, Scope
from .engine import Outcome, Ready
from .model import Moment

_LOG = logging.getLogger("farthing.rules")
RULE_JOB, GROUP_JOB = "rules.trigger", "rule_groups.trigger"
# More candidates than this are left to a job.
AT_ONCE_MAX = 1000
# So many transactions are booked anew in one unit of work of a job, some milliseconds for each; but none is begun any
# more when the lock has been held for so long. How long one takes depends on the machine, and on who else works there.
BATCH = 10
HELD_S_MAX = 0.01
# So many are read at once, without a lock, to find the next that change, and so often before a job notes its place.
_READ_AT_ONCE = 50
_READS_MAX = 20


@dataclass(frozen=True)
class Tried:
    """A stored transaction, and what the rules make of it."""

    lines: tuple[Line, ...]
    before: Draft
    outcome: Outcome

    @property
    def entry_id(self) -> int:
        return self.lines[0].entry_id

    @property
    def changes(self) -> bool:
        return self.outcome.draft != self.before


@dataclass(frozen=True)
class Done:
    """`failure`: the rules would have changed it, but it cannot be booked so."""

    tried: Tried
    failure: str | None = None

    @property
    def changed(self) -> bool:
        return self.tried.changes and self.failure is None


def try_on(db: Unit, user_id: int, rules: Sequence[Ready], entry_ids: list[int]) -> tuple[list[Tried], Known]:
    """In the order of the ids, and with all that the drafts refer to; a few queries, however many there are."""
    kept = links.of_entries(db, user_id, entry_ids)
    of_entry = groupby(lines.of_entries(db, user_id, list(kept)), key=lambda line: line.entry_id)
    groups = {entry_id: tuple(group) for entry_id, group in of_entry}
    known = lookup.look_up(db, user_id, redraft.named_in((line for of in groups.values() for line in of), kept))
    drafts = [redraft.draft_of(groups[entry_id], kept[entry_id], known) for entry_id in kept]
    around = apply.surroundings(db, user_id, rules, kept)
    outcomes, known = apply.decided(db, user_id, rules, list(zip(drafts, around, strict=True)), known)
    tried = [Tried(*one) for one in zip((groups[one] for one in kept), drafts, outcomes, strict=True)]
    return tried, known


def matched(tried: Sequence[Tried]) -> list[Tried]:
    """Those for which a rule fired, the newest first."""
    fired = [one for one in tried if one.outcome.fired]
    return sorted(fired, key=lambda one: (one.lines[0].on, one.entry_id), reverse=True)


def carry_out(
    db: Unit, user_id: int, tried: Sequence[Tried], known: Known, now: str, *, until: float = inf
) -> list[Done]:
    """Books anew what changes. One that cannot be booked so stays as it is, and says why.

    After `until`, by `perf_counter`, the rest is left; one at least is done.
    """
    maker = record.Maker(db, user_id, known, now)
    done: list[Done] = []
    for one in tried:
        if done and perf_counter() > until:
            break
        failure = None
        if one.changes:
            trial = maker.copied()
            try:
                with db.savepoint():
                    record.rewrite(db, user_id, one.entry_id, trial.entry(one.outcome.draft), now)
                maker = trial
            except Invalid as refusal:
                failure = "; ".join(problem.message for problem in refusal.problems)
        done.append(Done(one, failure))
    return done


def on_change_of_many(db: Unit, user_id: int, entry_ids: list[int], now: str) -> None:
    """What rules make of transactions that were changed together, as they make of one that is changed alone."""
    rules = apply.running(db, user_id, Moment.UPDATE)
    if rules:
        tried, known = try_on(db, user_id, rules, entry_ids)
        tell_failed(user_id, carry_out(db, user_id, tried, known, now))


def leave_to_job(db: Unit, user_id: int, kind: str, subject_id: int, scope: Scope, now: str) -> None:
    data = {"start": scope.start, "end": scope.end, "accounts": list(scope.account_ids), "place": list(Place())}
    queue.add(db, user_id, kind, subject_id, {**data, "changed": 0}, now)


@dataclass(frozen=True)
class _Next:
    """What changes next, in its order, how far it was looked, and whether there may be more behind it."""

    changing: list[Place]
    place: Place
    more: bool

    def after(self, booked: int) -> "_Next":
        """Of those that change only so many, the first, could be booked."""
        return self if booked == len(self.changing) else _Next([], self.changing[booked - 1], more=True)


def step(database: Database, job: Job, held: Held) -> Job | None:
    """A part of the work of one job; None when nothing is left of it, or it is no longer ours.

    Reading needs no lock; what changes is looked at once more under it, because it may have changed in between.
    """
    with database.reading() as db:
        found = _next(db, job)
    with database.writing() as db:
        until = perf_counter() + HELD_S_MAX
        users.take(db, job.user_id, token_id=None, now=held.now)
        if not queue.is_held(db, job, held):
            return None
        done, booked = _book(db, job, found.changing, held.now, until)
        found = found.after(booked)
        changed = job.data["changed"] + sum(one.changed for one in done)
        job = replace(job, data={**job.data, "place": list(found.place), "changed": changed})
        if not found.more:
            _LOG.info("%s %d: changed %d transactions", job.kind, job.subject_id, changed)
            queue.finish(db, job, held)
            return None
        queue.keep(db, job, held)
        return job


def _book(db: Unit, job: Job, changing: Sequence[Place], now: str, until: float) -> tuple[list[Done], int]:
    """As many as the time allows, in their order; and how many places these are: some may be gone meanwhile."""
    rules = rules_of(db, job.user_id, job.kind, job.subject_id)
    found, known = try_on(db, job.user_id, rules, [one.entry_id for one in changing])
    tried = {one.entry_id: one for one in found}
    there = [place for place in changing if place.entry_id in tried]
    in_order = [tried[place.entry_id] for place in there]
    done = carry_out(db, job.user_id, in_order, known, now, until=until)
    tell_failed(job.user_id, done)
    return done, changing.index(there[len(done)]) if len(done) < len(there) else len(changing)


def _next(db: Unit, job: Job) -> _Next:
    scope = Scope(job.data["start"], job.data["end"], tuple(job.data["accounts"]))
    rules = rules_of(db, job.user_id, job.kind, job.subject_id)
    place = Place(*job.data["place"])
    if not rules:
        return _Next([], place, more=False)
    changing: list[Place] = []
    for _ in range(_READS_MAX):
        found = candidates.after(db, job.user_id, scope, place, limit=_READ_AT_ONCE)
        tried, _ = try_on(db, job.user_id, rules, [one.entry_id for one in found])
        changes = {one.entry_id for one in tried if one.changes}
        for place in found:
            changing += [place] if place.entry_id in changes else []
            if len(changing) == BATCH:
                return _Next(changing, place, more=True)
        if len(found) < _READ_AT_ONCE:
            return _Next(changing, place, more=False)
    return _Next(changing, place, more=True)


def rules_of(db: Unit, user_id: int, kind: str, subject_id: int) -> list[Ready]:
    """One rule, whether it is active or not: it was asked for. Of a group only those that are active."""
    if kind == GROUP_JOB:
        return [engine.ready(rule) for rule in store.active_of_group(db, user_id, subject_id)]
    rule = store.get(db, user_id, subject_id)
    return [engine.ready(rule)] if rule else []


def tell_failed(user_id: int, done: Sequence[Done]) -> None:
    apply.tell_skipped(user_id, [one.tried.outcome for one in done])
    for one in done:
        if one.failure:
            facts = {"user_id": user_id, "entry_id": one.tried.entry_id}
            _LOG.warning("rules could not change a transaction: %s", one.failure, extra=facts)
