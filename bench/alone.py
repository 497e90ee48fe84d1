"""How dear is Farthing when nobody works beside it? Its app in a process like that of floor (b): no HTTP, and no client.

    python -m bench.alone

Where two cores are two threads of one, whatever runs beside a process makes it dearer. A server is measured beside its
client and floor (b) beside nobody; here both are. What HTTP costs is added as the bare app's (a).
"""

import asyncio
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from . import books
from .bare import answer_of
from .books import Facts
from .driver import Endpoint, ask
from .least import KEYS, ROUNDS, SECONDS, SIZE
from .lines import LINES, NAMED, Line, Request
from .measure import RawProcess, Served, raw
from .processes import Server, bare, environment, farthing


class App:
    """Asked as the HTTP server would ask it."""

    def __init__(self, facts: Facts) -> None:
        from farthing.cli import worker

        self._app: Any = worker.create()
        self._facts = facts

    async def timed(self, line: Line, first: int, seconds: float) -> dict[str, int]:
        number, until = first, time.perf_counter_ns() + int(seconds * 1e9)
        began = time.process_time_ns()
        while time.perf_counter_ns() < until:
            await self._one(line.ask(self._facts, number))
            await asyncio.sleep(0)  # a turn of the event loop, at whose end its lines are written
            number += 1
        return {"calls": number - first, "cpu_ns": time.process_time_ns() - began}

    async def _one(self, asked: Request) -> None:
        started: list[int] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": asked.body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                started.append(message["status"])

        await self._app(self._scope(asked), receive, send)
        assert started == [200], (asked.path, started)

    def _scope(self, asked: Request) -> dict[str, Any]:
        path, _, query = asked.path.partition("?")
        headers = [(b"host", b"127.0.0.1:8000"), (b"authorization", b"Bearer " + self._facts.token.encode())]
        if asked.body:
            headers += [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(asked.body))]
        return {
            "type": "http", "http_version": "1.1", "scheme": "http", "method": asked.method, "root_path": "",
            "path": path, "raw_path": path.encode(), "query_string": query.encode(), "headers": headers,
            "server": ("127.0.0.1", 8000), "client": ("127.0.0.1", 5), "state": {},
        }  # fmt: skip


async def answer_orders(app: App) -> None:
    """The same orders as floor (b) gets."""
    for order in sys.stdin:
        asked = msgspec.json.decode(order)
        told = await app.timed(NAMED[asked["line"]], asked["first"], asked["seconds"])
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        sys.stdout.buffer.flush()


def serve(facts: Path) -> None:
    import uvloop

    uvloop.run(answer_orders(App(msgspec.json.decode(facts.read_bytes(), type=Facts))))


@contextmanager
def alone(url: str, folder: Path, facts: Path) -> Iterator[RawProcess]:
    folder.mkdir()
    settings = {"FARTHING_DATA": str(folder), "FARTHING_DATABASE_URL": url}
    words = [sys.executable, "-m", "bench.alone", str(facts)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment(settings)
        )
        with process:
            yield RawProcess("alone", process)
            process.kill()


def measured(folder: Path, made: books.Books) -> Iterator[tuple[str, float, float]]:
    url, facts = f"sqlite:///{shutil.copyfile(made.path, folder / made.path.name)}", made.facts
    (folder / "facts").write_bytes(msgspec.json.encode(facts))
    with ExitStack() as stack:
        server = stack.enter_context(farthing(url, folder / "served", token=facts.token))
        ours = stack.enter_context(alone(url, folder / "alone", folder / "facts"))
        floor_b = stack.enter_context(raw("raw", url, folder / "facts", server.endpoint))
        for line in (one for one in LINES if one.key in KEYS):
            yield line.name, *_ratios(line, server, ours, floor_b, folder, facts)


def _ratios(
    line: Line, server: Server, ours: RawProcess, floor_b: RawProcess, folder: Path, facts: Facts
) -> tuple[float, float]:
    """As served, and alone with (a), against (a) + (b); taken within each round."""
    _keep_answer(line, server.endpoint, folder / "answers", facts)
    with bare(folder / "answers", folder / "bare", facts.token) as floor_a:
        subjects = [Served("", server, facts), ours, Served("", floor_a, facts, fixed=True), floor_b]
        rounds = [[one.burst(line, SECONDS).cpu_us for one in subjects] for _ in range(ROUNDS + 1)][1:]
    served = median(whole / (a + b) for whole, _, a, b in rounds)
    return served, median((own + a) / (a + b) for _, own, a, b in rounds)


def _keep_answer(line: Line, endpoint: Endpoint, path: Path, facts: Facts) -> None:
    asked = line.ask(facts, 0)
    where, _, query = asked.path.partition("?")
    answer = answer_of(ask(endpoint, endpoint.request(asked.method, asked.path, asked.body)))
    path.write_bytes(msgspec.msgpack.encode({f"{asked.method} {where}?{query}": answer}))


def main() -> None:
    from .__main__ import CACHE

    made = books.ready(CACHE, SIZE, lambda done: print(f"books: {done * 100 // SIZE} %", end="\r"))
    print("CPU against (a) + (b): as served, beside a client; and alone, with (a) added")
    with TemporaryDirectory(prefix="farthing-alone-") as folder:
        for name, served, own in measured(Path(folder), made):
            print(f"{name:45} {served:.2f} ×   {own:.2f} ×", flush=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        serve(Path(sys.argv[1]))
    else:
        main()
