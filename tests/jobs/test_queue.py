"""Jobs and workers: each job is done once, by one worker at a time, and nobody's death loses it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from msgspec import structs

from farthing.identity import users
from farthing.jobs.worker import HELD_FOR, JobKind, Worker
from farthing.kernel.clock import stamp
from farthing.kernel.errors import Unavailable
from farthing.storage import queue
from farthing.storage.queue import Job, JobProgress, Waiting
from farthing.storage.unit import Unit

from ..conftest import Client, World

KIND = "tests.count"


class Counting:
    """A job that counts to three, one number in each part; `before` may get in its way."""

    def __init__(self, before: Callable[[Job], None] | None = None) -> None:
        self.done: list[tuple[int, int]] = []
        self._before = before

    @property
    def kind(self) -> JobKind:
        return JobKind(look=self._look, write=self._write)

    def _look(self, _db: Unit, job: Job, _now: str) -> int:
        if self._before:
            self._before(job)
        return int(job.data["count"]) + 1

    def _write(self, _db: Unit, job: Job, count: int, _now: str) -> JobProgress:
        self.done.append((job.subject_id, count))
        return JobProgress(data={"count": count}, more=count < 3)


def added(world: World, client: Client, subject_id: int = 7) -> int:
    with world.books.writing() as db:
        return queue.add(db, client.user.id, KIND, subject_id, {"count": 0}, stamp(world.time.now))


def a_worker(world: World, counting: Counting) -> Worker:
    return Worker(world.books, world.time.clock(), {KIND: counting.kind})


def drained(worker: Worker, most: int = 50) -> int:
    return next(turns for turns in range(most) if not worker.turn())


def row(world: World, job_id: int, *columns: str) -> tuple[Any, ...]:
    with world.books.reading() as db:
        found = db.one(f"SELECT {', '.join(columns)} FROM jobs WHERE id = :id", id=job_id)
    assert found is not None
    return found


@pytest.fixture
def counting() -> Counting:
    return Counting()


def test_without_jobs_there_is_nothing_to_do(world: World, counting: Counting) -> None:
    assert a_worker(world, counting).turn() is False


def test_a_job_is_done_part_by_part_and_then_it_is_finished(world: World, me: Client, counting: Counting) -> None:
    job_id = added(world, me)
    worker = a_worker(world, counting)

    assert [worker.turn() for _ in range(4)] == [True, True, True, False]

    assert counting.done == [(7, 1), (7, 2), (7, 3)]
    assert row(world, job_id, "started_at", "finished_at", "failure") == (
        "2024-05-15T12:00:00+00:00",
        "2024-05-15T12:00:00+00:00",
        None,
    )


def test_an_unknown_kind_is_left_for_a_worker_that_knows_it(world: World, me: Client, counting: Counting) -> None:
    job_id = added(world, me)

    assert Worker(world.books, world.time.clock(), {"another": counting.kind}).turn() is False
    assert drained(a_worker(world, counting)) == 3
    assert row(world, job_id, "failure") == (None,)


def test_what_one_worker_holds_no_other_takes(world: World, me: Client, counting: Counting) -> None:
    added(world, me)
    first, second = a_worker(world, counting), a_worker(world, counting)

    assert (first.turn(), second.turn(), first.turn(), second.turn(), first.turn()) == (True, False, True, False, True)
    assert counting.done == [(7, 1), (7, 2), (7, 3)]


def test_when_a_worker_dies_another_goes_on_where_it_was(world: World, me: Client, counting: Counting) -> None:
    added(world, me)
    dead, heir = a_worker(world, counting), a_worker(world, counting)
    dead.turn()

    world.time.now += HELD_FOR - timedelta(seconds=1)
    assert heir.turn() is False
    world.time.now += timedelta(seconds=1)
    assert heir.turn() is True

    assert counting.done == [(7, 1), (7, 2)]
    assert dead.turn() is True, "it was only slow, and finds its job in other hands"
    assert counting.done == [(7, 1), (7, 2)]
    assert (heir.turn(), dead.turn(), heir.turn()) == (True, False, False)
    assert counting.done == [(7, 1), (7, 2), (7, 3)]


def test_a_clock_that_was_set_back_does_not_keep_a_job_for_a_dead_worker(
    world: World, me: Client, counting: Counting
) -> None:
    job_id = added(world, me)
    assert a_worker(world, counting).turn()  # and dies
    world.time.now -= timedelta(days=10)

    assert drained(a_worker(world, counting)) == 2

    assert counting.done == [(7, 1), (7, 2), (7, 3)]
    assert row(world, job_id, "finished_at") != (None,)


def test_each_part_holds_the_job_for_another_while(world: World, me: Client, counting: Counting) -> None:
    added(world, me)
    slow, other = a_worker(world, counting), a_worker(world, counting)

    for _ in range(3):
        assert slow.turn() is True
        world.time.now += HELD_FOR - timedelta(seconds=1)
        assert other.turn() is False

    assert len(counting.done) == 3


def test_a_worker_that_stops_leaves_its_job_at_once(world: World, me: Client, counting: Counting) -> None:
    added(world, me)
    first, second = a_worker(world, counting), a_worker(world, counting)
    first.turn()

    first.stop()

    assert drained(second) == 2
    assert counting.done == [(7, 1), (7, 2), (7, 3)]
    first.stop()


def test_a_worker_that_is_interrupted_leaves_its_job_at_once_too(world: World, me: Client, counting: Counting) -> None:
    def interrupt(_job: Job) -> None:
        raise KeyboardInterrupt

    added(world, me)
    first = a_worker(world, Counting(interrupt))
    with pytest.raises(KeyboardInterrupt):
        first.turn()

    first.stop()

    assert drained(a_worker(world, counting)) == 3


def test_jobs_of_one_user_are_done_in_turn_those_of_others_beside_them(
    world: World, me: Client, someone_else: Client, counting: Counting
) -> None:
    for client, subject_id in ((me, 1), (me, 2), (someone_else, 3)):
        added(world, client, subject_id)
    first, second, third = (a_worker(world, counting) for _ in range(3))

    assert (first.turn(), second.turn(), third.turn()) == (True, True, False)
    assert counting.done == [(1, 1), (3, 1)]
    drained(first)
    drained(second)
    assert counting.done[-1] == (3, 3)
    assert [one for one in counting.done if one[0] == 2] == [(2, 1), (2, 2), (2, 3)]


def test_while_a_long_job_runs_those_of_others_get_their_turns(
    world: World, me: Client, someone_else: Client, counting: Counting
) -> None:
    added(world, me, 1)
    added(world, someone_else, 2)
    impatient = Worker(world.books, world.time.clock(), {KIND: counting.kind}, look_every_s=0)

    drained(impatient)

    assert counting.done == [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (2, 3)]


def test_a_user_with_many_jobs_gets_no_more_time_than_one_with_one(
    world: World, me: Client, someone_else: Client
) -> None:
    """The first has jobs of three kinds at once; the other's is looked at every second time."""
    done: list[int] = []

    def look(_db: Unit, job: Job, _now: str) -> int:
        return int(job.data["count"]) + 1

    def write(_db: Unit, job: Job, count: int, _now: str) -> JobProgress:
        done.append(job.user_id)
        return JobProgress(data={"count": count}, more=count < 4)

    kinds = {f"tests.{name}": JobKind(look=look, write=write) for name in ("a", "b", "c")}
    with world.books.writing() as db:
        for kind in kinds:
            queue.add(db, me.user.id, kind, 7, {"count": 0}, stamp(world.time.now))
        queue.add(db, someone_else.user.id, "tests.a", 7, {"count": 0}, stamp(world.time.now))

    drained(Worker(world.books, world.time.clock(), kinds, look_every_s=0))

    since = done.index(someone_else.user.id)
    assert done[since : since + 7].count(someone_else.user.id) >= 3, done


def test_a_job_that_waits_for_something_lets_others_go_on_and_stays_held(
    world: World, me: Client, someone_else: Client, counting: Counting
) -> None:
    patience = [True] * 8

    def look(_db: Unit, _job: Job, _now: str) -> int | Waiting:
        world.time.now += HELD_FOR / 3
        return Waiting() if patience and patience.pop() else 3

    added(world, me, 1)
    waiting = structs.replace(counting.kind, look=look)
    worker = Worker(world.books, world.time.clock(), {KIND: waiting}, look_every_s=0)
    other = a_worker(world, counting)
    while patience:
        assert worker.turn() is True
        assert other.turn() is False, "it shows signs of life"
    assert counting.done == []

    drained(worker)

    assert counting.done == [(1, 3)]


def test_a_worker_that_stops_leaves_both_jobs_that_it_shares_its_time_between(
    world: World, me: Client, someone_else: Client, counting: Counting
) -> None:
    job_ids = added(world, me, 1), added(world, someone_else, 2)
    impatient = Worker(world.books, world.time.clock(), {KIND: counting.kind}, look_every_s=0)
    assert (impatient.turn(), impatient.turn()) == (True, True)

    impatient.stop()

    assert [row(world, job_id, "worker", "held_until") for job_id in job_ids] == [(None, None), (None, None)]
    assert a_worker(world, counting).work_off() == 2


def test_one_that_was_called_off_is_dropped(world: World, me: Client, counting: Counting) -> None:
    added(world, me)
    worker = a_worker(world, counting)
    worker.turn()

    with world.books.writing() as db:
        queue.cancel(db, me.user.id, KIND, 7)

    assert (worker.turn(), worker.turn()) == (True, False)
    assert counting.done == [(7, 1)]


def test_when_its_user_is_deleted_the_job_goes_too(world: World, me: Client, counting: Counting) -> None:
    added(world, me)
    worker = a_worker(world, counting)
    worker.turn()

    with world.books.writing() as db:
        users.remove(db, me.user.id)

    assert (worker.turn(), worker.turn()) == (True, False)


def test_a_database_that_is_away_loses_nothing(world: World, me: Client) -> None:
    away = [False, True, True, False, False]

    def before(_job: Job) -> None:
        if away.pop(0):
            raise Unavailable("The database is away.")

    counting = Counting(before)
    added(world, me)
    worker = a_worker(world, counting)
    assert worker.turn() is True

    for _ in range(2):
        with pytest.raises(Unavailable):
            worker.turn()

    assert drained(worker) == 2
    assert counting.done == [(7, 1), (7, 2), (7, 3)]


def test_one_that_fails_is_tried_again_later_but_not_for_ever(world: World, me: Client) -> None:
    def before(job: Job) -> None:
        if job.subject_id == 1 and job.data["count"] == 1:
            raise ZeroDivisionError("by nothing")

    counting = Counting(before)
    job_id, _ = added(world, me, 1), added(world, me, 2)
    worker = a_worker(world, counting)
    worker.turn()

    for _ in range(queue.ATTEMPTS_MAX):
        assert row(world, job_id, "finished_at") == (None,)
        assert counting.done == [(1, 1)], "what comes after it waits"
        drained(worker)
        world.time.now += HELD_FOR

    finished, failure = row(world, job_id, "finished_at", "failure")
    assert (finished is not None, failure) == (True, "ZeroDivisionError: by nothing")
    assert counting.done == [(1, 1), (2, 1), (2, 2), (2, 3)]


def test_one_that_kills_its_workers_is_given_up(world: World, me: Client, counting: Counting) -> None:
    class Killed(BaseException):
        pass

    def before(_job: Job) -> None:
        raise Killed

    job_id = added(world, me)
    for _ in range(queue.ATTEMPTS_MAX):
        with pytest.raises(Killed):
            a_worker(world, Counting(before)).turn()
        world.time.now += HELD_FOR

    assert a_worker(world, counting).turn() is False
    assert "died" in row(world, job_id, "failure")[0]
    assert counting.done == []


def test_what_was_finished_long_ago_is_forgotten(world: World, me: Client, counting: Counting) -> None:
    worker = a_worker(world, counting)
    old = added(world, me)
    drained(worker)
    world.time.now += timedelta(days=31)
    new = added(world, me)

    drained(worker)

    with world.books.reading() as db:
        rows = db.all("SELECT id FROM jobs WHERE user_id = :id ORDER BY id", id=me.user.id)
    assert (rows, new > old) == ([(new,)], True)


def test_everything_that_waits_is_worked_off(
    world: World, me: Client, someone_else: Client, counting: Counting
) -> None:
    for client, subject_id in ((me, 1), (me, 2), (someone_else, 3)):
        added(world, client, subject_id)

    assert a_worker(world, counting).work_off() == 3
    assert a_worker(world, counting).work_off() == 0
    assert len(counting.done) == 9
