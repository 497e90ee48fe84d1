"""Several servers on one database share the work: each job is done once, and a server that stands still loses its."""

import os
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from threading import Barrier

from farthing.jobs.worker import HELD_FOR, JobKind, Worker
from farthing.kernel.clock import stamp
from farthing.storage import queue
from farthing.storage.queue import Job, JobProgress
from farthing.storage.unit import Unit

from ..conftest import NOW, MovingClock, migrated
from ..proof.test_at_once import a_person

KIND, DONE = "tests.count", "tests.done"
SERVERS, USERS = 3, 12


def write(db: Unit, job: Job, _found: None, now: str) -> JobProgress:
    """What was done is noted in the same unit of work: as jobs of a kind that nobody takes."""
    queue.add(db, job.user_id, DONE, job.subject_id, {}, now)
    return JobProgress(data={}, more=False)


def nothing(_db: Unit, _job: Job, _now: str) -> None:
    return None


KINDS = {KIND: JobKind(look=nothing, write=write)}


def test_servers_that_look_for_work_at_once_each_get_a_job_of_their_own(new_database_url, tmp_path):
    with ExitStack() as stack:
        databases = [stack.enter_context(migrated(new_database_url, tmp_path)) for _ in range(SERVERS)]
        for number in range(USERS):
            user = a_person(databases[0], f"ann{number}@farthing.example")
            with databases[0].writing() as db:
                queue.add(db, user.id, KIND, number + 1, {}, stamp(NOW))
        clock = MovingClock().clock()
        workers = [Worker(database, clock, KINDS) for database in databases]
        barrier = Barrier(SERVERS)

        def turn(worker: Worker) -> bool:
            barrier.wait(60)
            return worker.turn()

        with ThreadPoolExecutor(SERVERS) as pool:
            turns = [list(pool.map(turn, workers)) for _ in range(USERS // SERVERS)]

        with databases[0].reading() as db:
            done = Counter(
                subject for (subject,) in db.all("SELECT subject_id FROM jobs WHERE kind = :kind", kind=DONE)
            )
    assert turns == [[True] * SERVERS] * (USERS // SERVERS), "nobody went away empty-handed while there was work"
    assert done == Counter(range(1, USERS + 1))


def test_the_job_of_a_server_that_stands_still_is_taken_over_after_a_minute(new_database_url, tmp_path):
    time = MovingClock()
    with migrated(new_database_url, tmp_path) as database:
        user = a_person(database, "ann@farthing.example")
        with database.writing() as db:
            queue.add(db, user.id, KIND, 7, {}, stamp(NOW))
        words = [sys.executable, "-m", "tests.jobs.test_many_servers", new_database_url, str(tmp_path)]
        stuck = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert stuck.stdout
        try:
            assert stuck.stdout.readline() == "holds its job\n"
            os.kill(stuck.pid, signal.SIGSTOP)
            heir = Worker(database, time.clock(), KINDS)

            time.now += HELD_FOR - timedelta(seconds=1)
            assert heir.turn() is False
            time.now += timedelta(seconds=1)
            assert (heir.turn(), heir.turn()) == (True, False)

            os.kill(stuck.pid, signal.SIGCONT)
            assert stuck.communicate("go on\n", timeout=60)[0] == "its job was in other hands\n"
        finally:
            stuck.kill()
            stuck.wait()
        with database.reading() as db:
            assert db.value("SELECT COUNT(*) FROM jobs WHERE kind = :kind", kind=DONE) == 1


def stand_still(url: str, folder: str) -> None:
    """A server that holds a job, says so, and does nothing until it is told to go on."""

    def look(_db: Unit, _job: Job, _now: str) -> None:
        print("holds its job", flush=True)  # noqa: T201
        sys.stdin.readline()

    with migrated(url, Path(folder)) as database:
        worker = Worker(database, MovingClock().clock(), {KIND: JobKind(look=look, write=write)})
        worker.turn()
        with database.reading() as db:
            count = db.value("SELECT COUNT(*) FROM jobs WHERE kind = :kind", kind=DONE)
    print("its job was in other hands" if count == 1 else f"done {count} times", flush=True)  # noqa: T201


if __name__ == "__main__":
    stand_still(*sys.argv[1:])
