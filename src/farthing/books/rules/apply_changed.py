"""Runs rules on transactions that were changed together: a few of them immediately, many in a job, in batches.

Running the same rules again changes nothing, so a job that was killed may safely try a transaction twice.
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
    """The next entries that the rules would change, and the entries that have not been tried yet."""

    changing: list[int]
    left: list[int]


def on_change_of_many(db: Unit, user_id: int, entry_ids: list[int], now: str) -> None:
    """Runs the rules on changed transactions: immediately, or in a job if other writers would wait too long."""
    rules = apply.find_running(db, user_id, RuleEvent.UPDATE)
    if not rules:
        return
    if apply.are_many(rules, len(entry_ids)):
        _queue(db, user_id, entry_ids, now)
        return
    trials, lookup = try_on(db, user_id, rules, entry_ids)
    changing = [trial.entry_id for trial in trials if trial.changes]
    if len(changing) > CHANGED_AT_ONCE_MAX:
        _queue(db, user_id, changing, now)
    else:
        log_failed(user_id, carry_out(db, user_id, trials, lookup, now))


def leave_to_job(db: Unit, user_id: int, entry_ids: list[int], now: str) -> None:
    """Queues a job if there are rules to run."""
    if entry_ids and apply.find_running(db, user_id, RuleEvent.UPDATE):
        _queue(db, user_id, entry_ids, now)


def _queue(db: Unit, user_id: int, entry_ids: list[int], now: str) -> None:
    """Queues a separate job for each request. The job's subject is the first entry."""
    queue.add(db, user_id, CHANGED_JOB, entry_ids[0], {"left": entry_ids, "changed": 0}, now)


def look(db: Unit, job: Job, _now: str) -> ChangedPart:
    """Finds the next entries that the rules would change, without a lock."""
    rules, left = apply.find_running(db, job.user_id, RuleEvent.UPDATE), job.data["left"]
    while rules and left:
        trials, _ = try_on(db, job.user_id, rules, left[:_READ_AT_ONCE])
        changing = [trial.entry_id for trial in trials if trial.changes]
        if len(changing) > BATCH:
            return ChangedPart(changing=changing[:BATCH], left=[*changing[BATCH:], *left[_READ_AT_ONCE:]])
        left = left[_READ_AT_ONCE:]
        if changing:
            return ChangedPart(changing=changing, left=left)
    return ChangedPart(changing=[], left=[])


def write(db: Unit, job: Job, part: ChangedPart, now: str) -> JobProgress:
    """Tries the rules again while holding the lock, because the entries may have changed in between."""
    rules = apply.find_running(db, job.user_id, RuleEvent.UPDATE)
    trials, lookup = try_on(db, job.user_id, rules, part.changing)
    results = carry_out(db, job.user_id, trials, lookup, now, until=perf_counter() + HELD_S_MAX)
    log_failed(job.user_id, results)
    left = [*(trial.entry_id for trial in trials[len(results) :]), *part.left]
    changed = job.data["changed"] + sum(result.changed for result in results)
    return JobProgress(data={"left": left, "changed": changed}, more=bool(left))
