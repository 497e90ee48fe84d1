"""A body that hardly comes any further is given up on, whoever sends it; what comes bit by bit is taken."""

import asyncio
import json

import pytest

from farthing.http.body.stream import SLOW_BYTES, BodyStream, Patience
from farthing.http.handling.runtime import Timing
from farthing.kernel.errors import TooSlow

from ..accounts.making import asset
from ..conftest import running

HURRIED = {"slow_s": 0.05, "look_every_s": 0.01}


@pytest.fixture
def hurried_world(new_database_url, tmp_path, check_answer):
    yield from running(new_database_url, tmp_path, check_answer, timing=Timing(**HURRIED))


def arriving(*parts, ends=False):
    """What a server would give out; at the end nothing comes any more, unless it is the end of the body."""
    left = list(parts)

    async def receive():
        if not left:
            await asyncio.Event().wait()
        await asyncio.sleep(0)
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left) or not ends}

    return receive


def asked(world, path, receive, **headers):
    """On the event loop of the app itself."""
    return asked_by(world, world.http.app, path, receive, **headers)


def asked_by(world, app, path, receive, **headers):
    sent = []
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http", "method": "POST", "path": f"/api/v1{path}", "raw_path": f"/api/v1{path}".encode(),
        "query_string": b"", "headers": [(b"host", b"farthing.example"), *named], "scheme": "http",
        "server": ("farthing.example", 80), "client": ("127.0.0.1", 1), "http_version": "1.1", "root_path": "",
    }  # fmt: skip

    async def send(message):
        sent.append(message)

    world.http.portal.call(app, scope, receive, send)
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]


@pytest.mark.parametrize("path", ["/accounts", "/session", "/recurrences/trigger"])
@pytest.mark.parametrize("parts", [(), (b"[" * 1000,)], ids=["nothing", "a part"])
def test_whoever_falls_silent_is_told_and_the_line_is_cut(hurried_world, path, parts):
    who = {"content_type": "application/json", "authorization": f"Bearer {hurried_world.someone().token}"}
    status, headers, said = asked(hurried_world, path, arriving(*parts), **who)

    assert status == 408
    assert headers[b"connection"] == b"close"
    assert json.loads(said)["exception"] == "RequestTimeoutHttpException"


def test_a_file_that_stops_arriving(hurried_world):
    me = hurried_world.someone()
    token = f"Bearer {me.token}"

    form = {"content_type": "multipart/form-data; boundary=x", "authorization": token}
    status, headers, _ = asked(hurried_world, "/attachments", arriving(b"--x\r\n"), **form)

    assert (status, headers[b"connection"]) == (408, b"close")


@pytest.mark.parametrize(
    ("parts", "who"),
    [
        ((), {}),
        ((), {"authorization": "Bearer nobody", "content_length": "1000000"}),
        ((), {"authorization": "Bearer nobody", "content_length": "10", "expect": "100-continue"}),
        ((b"{",), {"authorization": "Bearer nobody"}),
        ((b"{",), {"cookie": f"farthing_session={'x' * 43}"}),
    ],
    ids=["no token", "a long body", "asks first", "a part", "session"],
)
def test_the_body_of_a_stranger_is_not_waited_for(world, parts, who):
    status, headers, _ = asked(world, "/accounts", arriving(*parts), **who)

    assert (status, headers[b"connection"]) == (401, b"close")


def test_a_body_that_is_declared_too_long_is_not_waited_for(world):
    token = f"Bearer {world.someone().token}"
    status, headers, _ = asked(world, "/accounts", arriving(), authorization=token, content_length="100000000")

    assert (status, headers[b"connection"]) == (413, b"close")


def test_a_stranger_with_a_file_hears_that_they_are_not_known(hurried_world):
    form = {"content_type": "multipart/form-data; boundary=x"}
    status, headers, _ = asked(hurried_world, "/attachments", arriving(b"--x\r\n"), **form)

    assert (status, headers[b"connection"]) == (401, b"close")


def test_whoever_asked_for_leave_and_then_says_nothing(hurried_world):
    who = {"authorization": f"Bearer {hurried_world.someone().token}", "content_length": "10", "expect": "100-continue"}
    status, headers, _ = asked(hurried_world, "/accounts", arriving(), **who)

    assert (status, headers[b"connection"]) == (408, b"close")


def test_what_comes_in_pieces_is_taken(world):
    me = world.someone()
    pieces = [bytes([one]) for one in json.dumps(asset()).encode()]

    status, headers, _ = asked(
        world, "/accounts", arriving(*pieces, ends=True),
        content_type="application/json", authorization=f"Bearer {me.token}",
    )  # fmt: skip

    assert status == 200
    assert b"connection" not in headers


def test_only_those_who_are_too_slow_are_given_up_on():
    async def all_three():
        shared = Patience(slow_s=0.5, look_every_s=0.01)
        lively = asyncio.create_task(BodyStream({}, trickling(SLOW_BYTES, 20), shared).read_all(SLOW_BYTES * 20))
        with pytest.raises(TooSlow):
            await BodyStream({}, arriving(b"x"), shared).read_all(1000)
        with pytest.raises(TooSlow):
            await BodyStream({}, trickling(1, 1000), shared).read_all(1000)
        return len(await lively)

    assert asyncio.run(all_three()) == SLOW_BYTES * 20


def trickling(size, count):
    """Each piece in time, all together not."""
    left = iter(range(count - 1, -1, -1))

    async def receive():
        await asyncio.sleep(0.05)  # time that passes is what this is about
        return {"type": "http.request", "body": b"x" * size, "more_body": next(left) > 0}

    return receive


def test_a_server_that_stops_stops():
    async def stopped():
        waiting = asyncio.create_task(BodyStream({}, arriving(), Patience(**HURRIED)).read_all(1000))
        await asyncio.sleep(0)
        waiting.cancel()
        await waiting

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stopped())


def test_nobody_has_a_timer_of_their_own():
    """One look around serves for however many."""

    async def timers():
        shared, made = Patience(**HURRIED), []
        asyncio.get_running_loop().call_later = lambda *timer: made.append(timer)
        for _ in range(100):
            await BodyStream({}, arriving(b"x", ends=True), shared).read_all(1000)
        return len(made)

    assert asyncio.run(timers()) == 1


@pytest.mark.parametrize("path", ["/accounts", "/session"])
def test_who_still_sends_when_the_server_stops_is_told_to_try_again(world, path, caplog):
    async def stop_meanwhile(scope, receive, send):
        is_waiting = asyncio.Event()

        async def receive_on():
            is_waiting.set()
            return await receive()

        task = asyncio.create_task(world.http.app(scope, receive_on, send))
        await is_waiting.wait()
        task.cancel("as uvicorn does when the time is over")
        await task

    who = {"content_type": "application/json", "authorization": f"Bearer {world.someone().token}"}
    status, headers, said = asked_by(world, stop_meanwhile, path, arriving(), **who)

    assert (status, headers[b"retry-after"]) == (503, b"5")
    assert "The server is stopping" in json.loads(said)["message"]
    assert not [record for record in caplog.records if record.exc_info]
