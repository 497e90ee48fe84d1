"""Large requests are dropped when their client hangs up, and everybody's requests count as theirs."""

import asyncio
from collections.abc import Callable
from threading import Event, current_thread
from time import thread_time
from typing import Any

import pytest

from farthing.http.answer.reply import Reply
from farthing.http.handling.calls import HEAVY_S, Calls
from farthing.http.handling.runtime import Runtime
from farthing.http.request.call import NOTHING, Call
from farthing.http.request.proxies import Peer
from farthing.http.request.request import Askers, Presence, Request
from farthing.http.route import LARGE, Before, Gate, Route, Runs
from farthing.storage.drivers import open as database

from ..storage.test_fair import ENDLESS


class Line:
    """The connection of a client that can hang up."""

    def __init__(self) -> None:
        self._hangs_up = asyncio.Event()

    def hang_up(self) -> None:
        self._hangs_up.set()

    async def receive(self) -> dict[str, str]:
        await self._hangs_up.wait()
        return {"type": "http.disconnect"}


def request(line: Line, address: str = "192.0.2.1", token: bytes | None = None, **fields: object) -> Request:
    headers = {b"authorization": token} if token else {}
    return Request(
        peer=Peer(address=address, client=address), state={}, headers=headers, base="http://farthing.example",
        root="http://farthing.example",
        path={}, query={}, fields=fields, presence=Presence(line.receive),
    )  # fmt: skip


def answer_all(world: Any, begin: Callable[[Calls], Any]) -> Any:
    async def run() -> Any:
        calls = Calls(Runtime(database.connect(world.settings), world.settings, world.time.clock()))
        try:
            return await begin(calls)
        finally:
            await calls.close()

    return asyncio.run(run())


def test_sixty_large_reads_whose_clients_hang_up_are_not_carried_out(world, me):
    began = []

    def read(call: Call):
        began.append(call)
        call.db.value(ENDLESS)
        return NOTHING

    route = Route("GET", "/test", read, "Test", runs=LARGE)
    token = f"Bearer {me.token}".encode()

    async def begin(calls: Calls) -> list[Reply]:
        await calls.identify(route, request(Line(), token=token))  # so that all come to the queue at once
        lines = [Line() for _ in range(60)]
        answers = [asyncio.create_task(calls.answer(route, request(line, token=token))) for line in lines]
        while not began:
            await asyncio.sleep(0.01)
        for line in lines:
            line.hang_up()
        return await asyncio.gather(*answers)

    statuses = [reply.status for reply in answer_all(world, begin)]

    # One ran, some waited, and the rest were beyond the bound of one user.
    assert len(began) == 1
    assert statuses.count(499) == 17
    assert statuses.count(429) == 43


def test_what_kept_the_event_loop_busy_twice_runs_in_a_thread_the_next_time(world, me):
    threads: list[str] = []

    def read(call: Call):
        threads.append(current_thread().name)
        began = thread_time()
        while thread_time() - began < 2 * HEAVY_S:
            call.db.value("SELECT 1")
        return NOTHING

    route = Route("GET", "/test", read, "Test")
    token = f"Bearer {me.token}".encode()

    async def begin(calls: Calls) -> None:
        for _ in range(4):
            await calls.answer(route, request(Line(), token=token))

    answer_all(world, begin)

    # By the first request the credential is not known yet, so the address has asked.
    assert threads[:3] == ["MainThread"] * 3
    assert threads[3].startswith("farthing-reader")


@pytest.mark.any_database
def test_passwords_are_hashed_by_turns_of_accounts_at_one_address(world):
    emails = ["flood@farthing.example"] * 20 + ["ann@farthing.example"]
    asked: list[object] = []
    hashed: list[object] = []
    all_wait = Event()

    def ask(call: Call) -> object:
        asked.append(call.body["email"])
        if len(asked) == len(emails):
            all_wait.set()
        return asked[-1]

    def compute(email: object) -> object:
        all_wait.wait(10)
        hashed.append(email)
        return email

    before: Before[object] = Before(ask=ask, compute=compute)
    route = Route("POST", "/test", lambda _call: NOTHING, "Test", gate=Gate.OPEN, runs=Runs(before=before))

    async def begin(calls: Calls) -> None:
        await asyncio.gather(*(calls.answer(route, request(Line(), email=email)) for email in emails))

    answer_all(world, begin)

    assert len(hashed) == 21
    assert hashed.index("ann@farthing.example") <= 3


@pytest.mark.any_database
def test_a_credential_counts_as_its_user_once_it_is_known():
    async def begin() -> None:
        askers = Askers()
        first, second = (request(Line(), "192.0.2.9", token) for token in (b"Bearer a", b"Bearer b"))
        unknown = askers.of(first)
        askers.note(first.headers, 7)
        askers.note(second.headers, 7)

        assert unknown.user == "192.0.2.9"
        assert askers.of(first) == askers.of(second)
        assert askers.of(first).user == 7

    asyncio.run(begin())
