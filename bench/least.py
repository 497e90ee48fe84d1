"""Measures the least that a server could do: both floors in one process, plus what every answer of ours needs.

    python -m bench.least

serves the raw answers under the same HTTP server, once as they are ("joined") and once with a minimal id, headers, ETag,
counter and log line, in one function without rules, checks or errors ("least"): nothing can be faster than this. A create
is also served with the body parsed and checked by Farthing's own functions before the same raw SQL writes it ("checked").
"""

import os
import secrets
import shutil
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import msgspec

from farthing.api.v1.transactions.wire import TransactionBody
from farthing.books.bookkeeping import lookup
from farthing.books.bookkeeping.compose import compose
from farthing.http.body.decoding import decode
from farthing.kernel.fields import parse
from farthing.storage.drivers.sqlite_unit import SqliteUnit

from . import books
from .bare import answer_of
from .books import Facts
from .driver import ask
from .lines import LINES, Line
from .measure import Served, raw
from .processes import Server, bare, farthing, served_by
from .raw.__main__ import Answers

SIZE, ROUNDS, SECONDS = 10_000, 15, 0.4
KEYS = ("account", "preferences", "accounts", "transactions", "account_transactions", "create")
_encode = msgspec.json.Encoder().encode
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Joined:
    """`headers` are those of Farthing's answer. The n-th request gets the n-th answer, whatever it asks for."""

    def __init__(self, answer: Callable[[int], bytes], headers: list[tuple[bytes, bytes]]) -> None:
        self._answer = answer
        self._headers = [one for one in headers if one[0] != b"content-length"]
        self._number = 0
        self._counts = [0, 0]

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Send) -> None:
        if scope["method"] != "GET":
            while (await receive()).get("more_body"):
                pass
        body = self._answer(self._number)
        self._number += 1
        await self._send(scope, body, send)

    async def _send(self, _scope: dict[str, Any], body: bytes, send: Send) -> None:
        headers = [*self._headers, (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class Least(Joined):
    """Computes the id and the ETag although the headers already have them: the bytes stay the same."""

    async def _send(self, scope: dict[str, Any], body: bytes, send: Send) -> None:
        began, headers = time.perf_counter(), dict(scope["headers"])
        request_id = headers.get(b"x-request-id") or secrets.token_hex(8)
        f'"1.{self._number}.0.{datetime.now(UTC).date():%Y%m%d}.{crc32(scope["path"].encode()):08x}"'.encode()
        await super()._send(scope, body, send)
        seconds = time.perf_counter() - began
        self._counts[0] += 1
        self._counts[1] += int(seconds * 1_000_000)
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"), "level": "info", "request_id": request_id,
            "method": scope["method"], "path": scope["path"], "status": 200, "ms": round(seconds * 1000, 2), "user_id": 1,
        }  # fmt: skip
        os.write(2, _encode(line) + b"\n")


class Checked(Least):
    """Only runs the checks: it drops their result, and the raw SQL looks everything up again."""

    def __init__(self, answers: Answers, headers: list[tuple[bytes, bytes]]) -> None:
        super().__init__(answers.of("create"), headers)
        self._db = SqliteUnit(answers.connection)
        self._user_id = self._db.value("SELECT id FROM users LIMIT 1")

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Send) -> None:
        self._check((await receive())["body"])
        await super().__call__(scope, _nothing_more, send)

    def _check(self, sent: bytes) -> None:
        parsed = parse(TransactionBody, decode("application/json", sent, fields_max=1000))
        facts = lookup.load(self._db, self._user_id, [parsed.values])
        compose(parsed, facts)


async def _nothing_more() -> dict[str, Any]:
    return {}


def serve(kind: str, url: str, folder: Path, base: str, key: str, port: int) -> None:
    import uvicorn

    facts = msgspec.json.decode((folder / "facts").read_bytes(), type=Facts)
    headers = msgspec.msgpack.decode((folder / key).read_bytes(), type=list[tuple[bytes, bytes]])
    answers = Answers(url, facts, base)
    match kind:
        case "checked":
            app: Joined = Checked(answers, headers)
        case "least":
            app = Least(answers.of(key), headers)
        case _:
            app = Joined(answers.of(key), headers)
    uvicorn.run(
        app, port=port, loop="asyncio", http="httptools", lifespan="off",
        log_config=None, access_log=False, server_header=False, proxy_headers=False,
    )  # fmt: skip


def measure(folder: Path, made: books.Books) -> Iterator[tuple[str, list[float]]]:
    copy = shutil.copyfile(made.path, folder / made.path.name)
    url, facts = f"sqlite:///{copy}", made.facts
    (folder / "facts").write_bytes(msgspec.json.encode(facts))
    with farthing(url, folder / "ours", token=facts.token) as server:
        for line in (one for one in LINES if one.key in KEYS):
            yield line.name, _against_floors(line, server, url, folder, facts)


def _against_floors(line: Line, server: Server, url: str, folder: Path, facts: Facts) -> list[float]:
    """Farthing, the others, and (a) + (b): CPU µs, medians of the rounds."""
    asked = line.ask(facts, 0)
    answer = answer_of(ask(server.endpoint, server.endpoint.request(asked.method, asked.path, asked.body)))
    (folder / line.key).write_bytes(msgspec.msgpack.encode(answer[0]))
    where, _, query = asked.path.partition("?")
    (folder / "answers").write_bytes(msgspec.msgpack.encode({f"{asked.method} {where}?{query}": answer}))
    with ExitStack() as stack:
        kinds = ("checked", "least", "joined") if line.key == "create" else ("least", "joined")
        others = [stack.enter_context(_other(kind, url, folder, server, line.key)) for kind in kinds]
        floor_a = stack.enter_context(bare(folder / "answers", folder / "bare", facts.token))
        floor_b = stack.enter_context(raw("raw", url, folder / "facts", server.endpoint))
        served = [Served("", one, facts) for one in (server, *others)]
        subjects = [*served, Served("", floor_a, facts, fixed=True), floor_b]
        rounds = [[one.burst(line, SECONDS).cpu_us for one in subjects] for _ in range(ROUNDS + 1)][1:]
    *whole, a, b = (median(column) for column in zip(*rounds, strict=True))
    return [*whole, a + b]


@contextmanager
def _other(kind: str, url: str, folder: Path, server: Server, key: str) -> Iterator[Server]:
    base = f"http://{server.endpoint.host}:{server.endpoint.port}"
    words = ["-m", "bench.least", kind, url, str(folder), base, key]
    with served_by(words, folder / kind, server.endpoint.token) as started:
        yield started


def main() -> None:
    from .books import CACHE

    made = books.ready(CACHE, SIZE, lambda done: print(f"books: {done * 100 // SIZE} %", end="\r"))
    print(
        "CPU µs per request: Farthing, (a create: checked,) least, joined, (a) + (b); all but the last also as ratios"
    )
    with TemporaryDirectory(prefix="farthing-least-") as folder:
        for name, (*whole, floors) in measure(Path(folder), made):
            ratios = "  ".join(f"{one / floors:.2f} ×" for one in whole)
            print(f"{name:45} {'  '.join(f'{one:6.0f}' for one in (*whole, floors))}   {ratios}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        serve(sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4], sys.argv[5], int(sys.argv[6]))
    else:
        main()
