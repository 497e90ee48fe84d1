"""Runs rules on transactions that were changed together: few at once, many by a job, some at a time.

Running rules again changes nothing, so a job that was killed may look at a transaction twice.
"""

from time import perf_counter

from msgspec import Struct

from farthing.storage import queue
from farthing.storage.queue import Job, JobProgress
from farthing.storage.unit import Unit

from . import apply
from .apply_stored import BATCH, CHANGED_AT_ONCE_MAX, HELD_S_MAX, carry_out, log_failed, try_on
from .model import RuleEvent

CHANGED_JOB = "transactions.rules"
_READ_AT_ONCE = 50


class ChangedPart(Struct, frozen=True):
    """The next entries that the rules would change, and those that have not been tried yet."""

    changing: list[int]
    left: list[int]


def on_change_of_many(db: Unit, user_id: int, entry_ids: list[int], now: str) -> None:
    """The same as for one transaction that is changed alone, unless others would wait too long for the lock."""
    rules = apply.find_running(db, user_id, RuleEvent.UPDATE)
    if not rules:
        return
    if apply.are_many(rules, len(entry_ids)):
        _queue(db, user_id, entry_ids, now)
        return
    tried, known = try_on(db, user_id, rules, entry_ids)
    changing = [one.entry_id for one in tried if one.changes]
    if len(changing) > CHANGED_AT_ONCE_MAX:
        _queue(db, user_id, changing, now)
    else:
        log_failed(user_id, carry_out(db, user_id, tried, known, now))


def leave_to_job(db: Unit, user_id: int, entry_ids: list[int], now: str) -> None:
    """If there are rules to run."""
    if entry_ids and apply.find_running(db, user_id, RuleEvent.UPDATE):
        _queue(db, user_id, entry_ids, now)


def _queue(db: Unit, user_id: int, entry_ids: list[int], now: str) -> None:
    """Its subject is the first of them; each request has a job of its own."""
    queue.add(db, user_id, CHANGED_JOB, entry_ids[0], {"left": entry_ids, "changed": 0}, now)


def look(db: Unit, job: Job, _now: str) -> ChangedPart:
    """Without a lock."""
    rules, left = apply.find_running(db, job.user_id, RuleEvent.UPDATE), job.data["left"]
    while rules and left:
        tried, _ = try_on(db, job.user_id, rules, left[:_READ_AT_ONCE])
        changing = [one.entry_id for one in tried if one.changes]
        if len(changing) > BATCH:
            return ChangedPart(changing=changing[:BATCH], left=[*changing[BATCH:], *left[_READ_AT_ONCE:]])
        left = left[_READ_AT_ONCE:]
        if changing:
            return ChangedPart(changing=changing, left=left)
    return ChangedPart(changing=[], left=[])


def write(db: Unit, job: Job, found: ChangedPart, now: str) -> JobProgress:
    """Tried once more under the lock, because they may have changed in between."""
    rules = apply.find_running(db, job.user_id, RuleEvent.UPDATE)
    tried, known = try_on(db, job.user_id, rules, found.changing)
    done = carry_out(db, job.user_id, tried, known, now, until=perf_counter() + HELD_S_MAX)
    log_failed(job.user_id, done)
    left = [*(one.entry_id for one in tried[len(done) :]), *found.left]
    changed = job.data["changed"] + sum(one.changed for one in done)
    return JobProgress(data={"left": left, "changed": changed}, more=bool(left))
