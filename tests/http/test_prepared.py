"""What is prepared before a write is prepared again when it is outdated, but not without end."""

import asyncio

import pytest

from farthing.http.handling.calls import Calls
from farthing.http.handling.runtime import Runtime
from farthing.http.request.call import NOTHING, Unprepared
from farthing.http.request.proxies import Peer
from farthing.http.request.request import Presence, Request
from farthing.http.route import Before, Gate, Mode, Route, Runs
from farthing.storage.drivers import open as database


@pytest.mark.any_database
@pytest.mark.parametrize(("outdated", "status", "asked"), [(0, 204, 1), (2, 204, 3), (99, 429, 5)])
def test_it_is_prepared_again_when_it_is_outdated(world, outdated, status, asked):
    modes = []

    def ask(call):
        modes.append(call.db.author)
        return len(modes)

    def handle(call):
        if call.prepared <= outdated:
            raise Unprepared
        return NOTHING

    runs = Runs(before=Before(ask=ask, mode=Mode.READ))
    route = Route("POST", "/test", handle, "Test", gate=Gate.OPEN, runs=runs)
    calls = Calls(Runtime(database.connect(world.settings), world.settings, world.time.clock()))
    presence = Presence(asyncio.Queue().get)
    request = Request(
        peer=Peer(address="192.0.2.1", client="192.0.2.1"),
        state={},
        headers={},
        base="http://farthing.example",
        root="http://farthing.example",
        path={},
        query={},
        fields={},
        presence=presence,
    )

    async def answer():
        reply = await calls.answer(route, request)
        await calls.close()
        return reply

    reply = asyncio.run(answer())

    assert reply.status == status
    assert len(modes) == asked
