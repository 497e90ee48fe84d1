"""Files that a process of its own makes: nothing is left of them, and there are never too many."""

import asyncio
import os
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from types import SimpleNamespace
from typing import Any

import pytest

from farthing.http.answer.reply import Reply
from farthing.http.files.produce import ProductionLimit, send_produced
from farthing.http.handling.runtime import Runtime
from farthing.http.request.call import Produced
from farthing.kernel.clock import Clock
from farthing.kernel.errors import EXIT_FULL, DiskFull, TooMany
from farthing.moving.exports import __main__ as exporting
from farthing.storage.drivers import open as database

from ..conftest import settings_for

LARGE = 3 * 2**20
# Says who it is, then works until it is ended; it may clean up.
ENDLESS = """
import os, pathlib, sys, time
print("x" * 2**21, flush=True)
pathlib.Path(sys.stdin.read()).write_text(str(os.getpid()))
time.sleep(600)
"""


class Exchange:
    """A client that takes everything, or leaves when it is told to."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.leaves = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)

    @property
    def is_complete(self) -> bool:
        return not self.sent[-1].get("more_body", False)


@pytest.fixture
def runtime(tmp_path) -> Runtime:
    settings = settings_for(f"sqlite:///{tmp_path}/farthing.sqlite3", tmp_path)
    return Runtime(database.connect(settings), settings, Clock())


def run(
    runtime: Runtime,
    code: str,
    stdin: bytes = b"",
    meanwhile: Callable[[Exchange], Any] | None = None,
    limit: ProductionLimit | None = None,
) -> Exchange:
    async def answer() -> Exchange:
        exchange = Exchange()
        produced = Produced(words=(sys.executable, "-c", code), stdin=stdin)
        sending = asyncio.ensure_future(
            send_produced(
                runtime,
                limit or ProductionLimit(),
                Reply(200, [], b"", 1),
                produced,
                {"headers": {}},
                exchange.receive,
                exchange.send,
            )
        )
        if meanwhile:
            await meanwhile(exchange)
        await sending
        return exchange

    try:
        return asyncio.run(answer())
    finally:
        runtime.close()


def test_a_small_file_comes_with_its_length(runtime):
    exchange = run(runtime, "import sys; print(sys.stdin.read() * 2, end='')", b"abc")

    assert (exchange.status, exchange.body, exchange.is_complete) == (200, b"abcabc", True)
    assert (b"content-length", b"6") in exchange.sent[0]["headers"]


def test_a_large_file_is_sent_while_it_is_made(runtime, tmp_path):
    async def wait_for_start(exchange: Exchange) -> None:
        while not exchange.sent:
            await asyncio.sleep(0.01)
        assert not (tmp_path / "done").exists()
        (tmp_path / "go").touch()

    code = f"""
import os, pathlib, sys, time
sys.stdout.write("x" * {LARGE}); sys.stdout.flush()
while not os.path.exists({str(tmp_path / "go")!r}): time.sleep(0.01)
pathlib.Path({str(tmp_path / "done")!r}).touch()
sys.stdout.write("y" * {LARGE})
"""
    exchange = run(runtime, code, meanwhile=wait_for_start)

    assert exchange.body == b"x" * LARGE + b"y" * LARGE
    assert exchange.is_complete


def test_a_client_that_leaves_leaves_nothing_behind(runtime, tmp_path):
    path = tmp_path / "pid"

    async def leave(exchange: Exchange) -> None:
        while not (path.exists() and path.read_text().strip()):
            await asyncio.sleep(0.01)
        exchange.leaves.set()

    limit = ProductionLimit()
    run(runtime, ENDLESS, str(path).encode(), meanwhile=leave, limit=limit)

    with pytest.raises(ProcessLookupError):
        os.kill(int(path.read_text()), 0)
    assert [one.name for one in tmp_path.iterdir() if not one.name.startswith("farthing.sqlite3")] == ["pid"]
    assert limit._user_ids == set()


def test_a_failure_before_the_first_byte_is_an_answer(runtime):
    exchange = run(runtime, "import sys; sys.exit('no room left')")

    assert exchange.status == 503
    assert (b"retry-after", b"5") in exchange.sent[0]["headers"]
    assert b"no room left" not in exchange.body  # that is for the log


def test_a_failure_on_the_way_leaves_the_answer_without_its_end(runtime):
    exchange = run(runtime, f"import sys; sys.stdout.write('x' * {LARGE}); sys.stdout.flush(); sys.exit(1)")

    assert exchange.status in (200, 503)
    assert exchange.status == 503 or not exchange.is_complete


def test_everybody_has_one_at_a_time_and_all_together_a_few():
    async def try_all() -> TooMany:
        productions = ProductionLimit(at_once_max=2, wait_s=0.01)
        async with productions.admit(1):
            with pytest.raises(TooMany) as again:
                await productions.admit(1).__aenter__()
            async with productions.admit(2):
                with pytest.raises(TooMany):
                    await productions.admit(3).__aenter__()
            async with productions.admit(3):
                pass
        async with productions.admit(1):
            pass
        return again.value

    assert asyncio.run(try_all()).retry_after_s > 0


def test_the_next_file_of_somebody_waits_until_the_process_of_the_last_has_ended():
    """One for each; a third is refused at once."""

    async def ask_again() -> list[int]:
        productions, order = ProductionLimit(at_once_max=2), []

        async def produce(number: int) -> None:
            async with productions.admit(1):
                order.append(number)

        async with productions.admit(1):
            waiting = asyncio.ensure_future(produce(2))
            await asyncio.sleep(0)
            with pytest.raises(TooMany):
                await produce(3)
            async with productions.admit(2):  # ends first, and is no reason for the one that waits
                pass
            await asyncio.sleep(0)
            order.append(1)
        await waiting
        return order

    assert asyncio.run(ask_again()) == [1, 2]


@pytest.mark.parametrize(
    ("code", "says", "logged"),
    [
        (f"import sys; sys.stderr.write('in /x'); sys.exit({EXIT_FULL})", "The disk of the server is full", "in /x"),
        ("import os; os.kill(os.getpid(), 9)", "its process was killed", "killed by signal 9"),
        ("import sys; sys.exit('secret')", "Try again", "secret"),
    ],
)
def test_a_failure_names_its_cause(runtime, caplog, code, says, logged):
    exchange = run(runtime, code)

    assert exchange.status == 503
    assert says in exchange.body.decode()
    assert logged in caplog.text


@pytest.mark.parametrize(
    ("error", "code"), [(OSError(28, "full"), EXIT_FULL), (DiskFull("x"), EXIT_FULL), (OSError(5, "x"), 1)]
)
def test_the_process_of_an_export_says_when_the_disk_is_full(monkeypatch, capsys, error, code):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(exporting, "_open", fail)
    monkeypatch.setattr(exporting, "load_settings", lambda _: None)
    monkeypatch.setattr(exporting.msgspec.json, "decode", lambda *_, **__: SimpleNamespace(settings={}))
    monkeypatch.setattr(exporting.os, "nice", lambda _: 0)
    monkeypatch.setattr(exporting.signal, "signal", lambda *_: None)
    monkeypatch.setattr(exporting.sys, "stdin", TextIOWrapper(BytesIO()))

    assert exporting.main() == code
