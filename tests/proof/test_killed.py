"""A write is never answered before it is durable: killed right after the answer, the server has it when it is back."""

import http.client
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from farthing.care.doctor import examine

from ..cli.conftest import Server, Terminal
from ..conftest import migrated
from ..length import LONG
from .clients import PATIENCE_SECONDS, Person, answering, ask, first_accounts
from .diary import SHOPS, Diary, by_word
from .requests import Request
from .test_at_once import a_person, the_clock

WRITERS = 3
# In each of the parts, which test processes share between them.
PARTS = (1, 2) if LONG else (1,)
HOW = ("everything", "the server", "first its job process")
KILLS = {"sqlite": 150, "postgresql": 30} if LONG else dict.fromkeys(("sqlite", "postgresql"), len(HOW))


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_what_was_acknowledged_survives_every_kill_and_nothing_is_half_there(tmp_path, new_database_url, dialect, part):
    print(f"the seed is {part}")  # noqa: T201 -- shown when it fails
    chance, killable = random.Random(part), Killable(tmp_path, new_database_url)
    diaries: list[Diary] = []
    for number in range(KILLS[dialect]):
        with killable.living() as server:
            diaries = diaries or killable.begin(server)
            killable.examine(server, diaries)
            killable.write_until_killed(server, diaries, chance, HOW[number % len(HOW)])
    with killable.living() as server:
        killable.examine(server, diaries)
        assert server.stop() == 0

    assert sum(diary.acknowledged for diary in diaries) >= KILLS[dialect]
    assert Terminal(tmp_path, new_database_url).says("doctor").startswith("No problems")


def test_a_job_process_whose_server_is_gone_before_it_could_look_leaves(tmp_path):
    terminal = Terminal(tmp_path)
    terminal.says("migrate")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()

    working = [sys.executable, "-m", "farthing.jobs", str(gone.pid)]
    left = subprocess.run(working, env=terminal.environment, timeout=PATIENCE_SECONDS, check=False)

    assert left.returncode == 0


class Killable:
    """Books in a folder, and one server after the other on them."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url = folder, url
        with migrated(url, folder / "data") as database:
            self.person: Person = a_person(database, "ann@farthing.example")

    def living(self) -> Any:
        return Terminal(self.folder, self.url).serving(**the_clock(self.folder))

    def begin(self, server: Server) -> list[Diary]:
        first_accounts(server.port, self.person)
        account_id = min(self.person.made.accounts)
        for shop in SHOPS:  # so that every other payee is new
            body = {"type": "expense", "name": shop, "currency_code": "EUR", "active": 1, "include_net_worth": 1}
            self.person.ask(server.port, 0, Request("open account", "POST", "/accounts", body=body))
        return [Diary(f"w{writer}", account_id) for writer in range(WRITERS)]

    def examine(self, server: Server, diaries: Sequence[Diary]) -> None:
        """Everything that is there, over HTTP and with the doctor's eyes."""
        found = by_word(self._all(server, "/transactions", "default"))
        assert set(found) <= {word for diary in diaries for word in diary.possible}
        payees = {thing["attributes"]["name"] for thing in self._all(server, "/accounts", "expense")}
        for diary in diaries:
            diary.compare(found, payees)
        spent = sum(thing["attributes"]["amount"] for of in found.values() for thing in of)
        assert self._balance(server, diaries[0].account_id) == spent
        with migrated(self.url, self.folder / "data") as database:
            assert list(examine(database)) == []

    def _all(self, server: Server, path: str, word: str) -> Iterator[Any]:
        for page in range(1, 100):
            request = Request("list", "GET", path, {"type": word, "limit": "1000", "page": str(page)})
            status, answer = ask(server.port, self.person.tokens[0], request)
            assert status == 200, answer
            yield from answer["data"]
            if page >= answer["meta"]["pagination"]["total_pages"]:
                return

    def _balance(self, server: Server, account_id: int) -> Decimal:
        request = Request("show account", "GET", f"/accounts/{account_id}", {"date": "2024-12-31"})
        _, answer = ask(server.port, self.person.tokens[0], request)
        return Decimal(answer["data"]["attributes"]["current_balance"])

    def write_until_killed(self, server: Server, diaries: Sequence[Diary], chance: random.Random, how: str) -> None:
        """The first writer kills when its answer begins to arrive; the others are in the middle of something."""
        moment = chance.randint(1, 4)
        killing = Killing(server, how, moment)
        seeds = [chance.getrandbits(64) for _ in diaries]
        with ThreadPoolExecutor(WRITERS) as pool:
            writing = [
                pool.submit(self._write, server, diary, random.Random(seed), killing if place == 0 else _go_on)
                for place, (diary, seed) in enumerate(zip(diaries, seeds, strict=True))
            ]
            for one in writing:
                one.result(timeout=PATIENCE_SECONDS)
        until(lambda: not alive(server.process.pid), "the job process outlived its server")
        assert server.process.wait(PATIENCE_SECONDS) == -signal.SIGKILL

    def _write(self, server: Server, diary: Diary, chance: random.Random, answered: Callable[[], None]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS / 2
        while time.monotonic() < deadline:
            word, request, version = diary.request(chance)
            diary.sent(word, version)
            try:
                with answering(server.port, self.person.tokens[0], request) as response:
                    answered()
            except (OSError, http.client.HTTPException):
                return  # nobody knows whether it was done
            assert response.status == (204 if version is None else 200), request
            diary.is_acknowledged(word, version)
        raise AssertionError("the server was not killed")


def _go_on() -> None:
    pass


class Killing:
    """Counts answers, and kills when its moment has come."""

    def __init__(self, server: Server, how: str, moment: int) -> None:
        self._server, self._how, self._left = server, how, moment

    def __call__(self) -> None:
        self._left -= 1
        if self._left:
            return
        if self._how == "first its job process":
            server = self._server.process.pid
            until(lambda: len(alive(server)) == 2, "there is no job process")
            [job_process] = alive(server) - {server}
            os.kill(job_process, signal.SIGKILL)
            self._how, self._left = "everything", 3
        elif self._how == "the server":
            os.kill(self._server.process.pid, signal.SIGKILL)
        else:
            os.killpg(self._server.process.pid, signal.SIGKILL)


def alive(group: int) -> set[int]:
    """The processes of a group, those aside that have ended and only wait for somebody to take note of it."""
    if not Path("/proc/self/stat").exists():
        return _ask_ps(group)
    numbers = [int(one.name) for one in os.scandir("/proc") if one.name.isdigit()]
    return {pid for pid in numbers if _is_alive(pid, group)}


def _is_alive(pid: int, group: int) -> bool:
    with suppress(OSError):  # it has ended meanwhile
        return os.getpgid(pid) == group and ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    return False


def _ask_ps(group: int) -> set[int]:
    """Where there is no /proc; asked twenty times a second, it takes much of the machine."""
    listed = subprocess.run(["ps", "-eo", "pid=,pgid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = (line.split() for line in listed.splitlines())
    return {int(pid) for pid, of, state in rows if int(of) == group and not state.startswith("Z")}


def until(true: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.05)
