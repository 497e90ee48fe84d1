"""A busy SQLite file: writes wait their turn and succeed, everything else goes on."""

import asyncio
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import apsw
import httpx2 as httpx
import pytest

from farthing.kernel.errors import Locked
from farthing.storage.drivers.sqlite import WAIT_MS, SqliteDatabase
from farthing.storage.unit import Unit

from ..cli.conftest import Server, Terminal

BUSY_SECONDS = 1.5
WRITERS = 4
# The job process of a server writes by itself now and then: whoever holds the file has waited for it.
HOLDER = """
import apsw, sys
connection = apsw.Connection(sys.argv[1])
connection.set_busy_timeout(60_000)
connection.execute("BEGIN IMMEDIATE")
sys.stdout.write("held\\n")
sys.stdout.flush()
sys.stdin.readline()
connection.execute("ROLLBACK")
"""

# For every process that finds it in its path, each sync takes as long as on a card in a camera.
SYNC_SECONDS = 0.2
SLOW_DISK = f"""
import apsw, time

real = apsw.vfs_names()[0]

class Disk(apsw.VFS):
    def __init__(self):
        super().__init__("slow", real, makedefault=True)

    def xOpen(self, name, flags):
        return File(real, name, flags)

class File(apsw.VFSFile):
    def xSync(self, flags):
        time.sleep({SYNC_SECONDS})
        super().xSync(flags)

disk = Disk()
"""


@contextmanager
def held(file: Path) -> Iterator[None]:
    """Another process holds the file's write lock."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield
    finally:
        holder.communicate("let go\n")


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def test_a_write_waits_for_the_file_and_reads_do_not(terminal: Terminal):
    terminal.says("user", "create", "ann@example.org")
    token = terminal.says("token", "create", "ann@example.org").strip()
    headers = {"Authorization": f"Bearer {token}"}
    with terminal.serving() as server, ThreadPoolExecutor(WRITERS) as pool:
        with held(terminal.folder / "data" / "farthing.sqlite3"):
            answers = [pool.submit(post_account, server, headers, number) for number in range(WRITERS)]
            waited = reads_for(BUSY_SECONDS, server, headers)
            assert not any(answer.done() for answer in answers)

        assert [answer.result().status_code for answer in answers] == [200] * WRITERS
        names = [
            one["attributes"]["name"] for one in get(server, "/api/v1/accounts?type=asset", headers).json()["data"]
        ]
    assert sorted(names) == [f"Account {number}" for number in range(WRITERS)]
    # Whoever waited for the file would wait until it is given up; how quick an answer is depends on the machine.
    assert statistics.median(waited) < BUSY_SECONDS * 2 / 3
    assert max(waited) < WAIT_MS / 1000 / 2


@pytest.mark.long
def test_on_a_slow_disk_whoever_reads_waits_for_nobodys_commit(terminal: Terminal):
    terminal.says("user", "create", "ann@example.org")
    headers = {"Authorization": f"Bearer {terminal.says('token', 'create', 'ann@example.org').strip()}"}
    (terminal.folder / "sitecustomize.py").write_text(SLOW_DISK)
    path = os.pathsep.join(filter(None, (str(terminal.folder), os.environ.get("PYTHONPATH"))))
    with terminal.serving(PYTHONPATH=path) as server, ThreadPoolExecutor(WRITERS) as pool:
        for number in range(2 * WRITERS):  # until it knows
            assert post_account(server, headers, number).status_code == 200
        answers = [pool.submit(post_account, server, headers, number) for number in range(2 * WRITERS, 6 * WRITERS)]
        waited = reads_for(BUSY_SECONDS, server, headers)
        assert not all(answer.done() for answer in answers), "somebody wrote all the time"

        assert {answer.result().status_code for answer in answers} == {200}
    assert statistics.median(waited) < SYNC_SECONDS / 2


def post_account(server: Server, headers: dict[str, str], number: int) -> httpx.Response:
    body = {
        "name": f"Account {number}", "type": "asset", "account_role": "defaultAsset", "currency_code": "EUR",
        "active": 1, "include_net_worth": 1,
    }  # fmt: skip
    with httpx.Client(trust_env=False, verify=False, timeout=60) as http:
        return http.post(f"{server.address}/api/v1/accounts", json=body, headers=headers)


def get(server: Server, path: str, headers: dict[str, str]) -> httpx.Response:
    with httpx.Client(trust_env=False, verify=False, timeout=60) as http:
        return http.get(f"{server.address}{path}", headers=headers)


def reads_for(seconds: float, server: Server, headers: dict[str, str]) -> list[float]:
    """Asks again and again; how long each answer took."""
    took = []
    with httpx.Client(base_url=server.address, trust_env=False, verify=False, timeout=60, headers=headers) as http:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for path in ("/api/v1/accounts", "/api/v1/preferences", "/health"):
                began = time.monotonic()
                assert http.get(path).status_code == 200
                took.append(time.monotonic() - began)
    return took


@pytest.fixture
def things(tmp_path: Path) -> Iterator[SqliteDatabase]:
    database = SqliteDatabase(tmp_path / "books.sqlite3", wait_ms=300)
    with database.writing() as db:
        db.run("CREATE TABLE things (id INTEGER)")
    yield database
    database.close()


def add_thing(db: Unit) -> int:
    db.run("INSERT INTO things (id) VALUES (1)")
    return threading.get_ident()


def count_things(db: Unit) -> int:
    return int(db.value("SELECT COUNT(*) FROM things"))


def test_short_work_runs_on_the_event_loop_and_large_work_in_threads_of_each_mode(things: SqliteDatabase):
    async def begin() -> list[str]:
        def find_thread(_: Unit) -> str:
            return threading.current_thread().name

        short = [await things.write(find_thread), await things.read(find_thread)]
        return [*short, await things.write(find_thread, large=True), await things.read(find_thread, large=True)]

    write, read, large_write, large_read = asyncio.run(begin())

    assert write == read == threading.current_thread().name
    assert large_write.startswith("farthing-writer")
    assert large_read.startswith("farthing-reader")


def test_when_the_file_is_busy_a_write_waits_beside_the_event_loop_and_is_called_once(things: SqliteDatabase):
    things = SqliteDatabase(things.path)
    called: list[int] = []

    async def begin() -> int:
        with held(things.path):
            writing = asyncio.ensure_future(things.write(lambda db: called.append(add_thing(db))))
            for _ in range(20):
                await asyncio.sleep(0)  # the write has its turn, too
                assert (called, await things.read(count_things)) == ([], 0)
        await writing
        return await things.read(count_things)

    assert asyncio.run(begin()) == len(called) == 1
    assert called != [threading.get_ident()]
    things.close()


def test_who_queues_behind_a_write_that_waits_is_refused_with_it(things: SqliteDatabase):
    """Each for themselves, they would wait one after the other."""

    async def begin() -> list[object]:
        return await asyncio.gather(*(things.write(add_thing) for _ in range(10)), return_exceptions=True)

    with held(things.path):
        began = time.monotonic()
        refused = asyncio.run(begin())
        took = time.monotonic() - began

    assert [type(one).__mro__[1] for one in refused] == [Locked] * 10
    assert took < 10 * 0.3 / 2
    with things.reading() as db:
        assert count_things(db) == 0


def test_a_read_has_its_snapshot_before_its_work_begins(things: SqliteDatabase):
    """So when it has to wait for one, nothing has been done yet."""
    other = apsw.Connection(str(things.path))
    with things.reading() as db:
        other.execute("INSERT INTO things (id) VALUES (7)")
        assert count_things(db) == 0
    other.close()


def test_a_new_file_that_another_process_begins_with_at_the_same_moment_is_waited_for(tmp_path: Path):
    """Without the log it has not got yet, SQLite itself would not wait."""
    file = tmp_path / "farthing.sqlite3"
    database = SqliteDatabase(file)
    with ThreadPoolExecutor(1) as pool:
        with held(file):
            opened = pool.submit(database.connection)
            time.sleep(0.3)  # nothing tells that somebody waits; without the waiting it would fail at once
            assert not opened.done()
        assert opened.result(timeout=60).execute("PRAGMA journal_mode").fetchall() == [("wal",)]
    database.close()
