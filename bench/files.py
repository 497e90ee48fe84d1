"""Measures transfers of 64 MiB files up and down, compared with a bare app that does the same work."""

import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from .books import Facts
from .driver import Endpoint, ask, body_of, head_of
from .processes import Server, bare_files, cpu_ns, family, grown_bytes
from .results import Row, Target, target

MEBIBYTES = 64
SHARE_MIN, GROWTH_MB_MAX = 0.7, 20
_PIECE = 1 << 18


@dataclass(frozen=True)
class Trip:
    seconds: float
    cpu_us: float


class Files:
    """One server, Farthing or the bare app. Every content is different, because equal ones would be stored once."""

    def __init__(self, server: Server, up: str, down: str) -> None:
        self._server = server
        self._up = up
        self._down = down
        self._numbers = count()
        self._bytes = bytearray(os.urandom(1 << 20) * MEBIBYTES)

    def upload(self) -> Trip:
        self._bytes[:8] = next(self._numbers).to_bytes(8)
        endpoint = self._server.endpoint
        head = endpoint.request("POST", self._up, length=len(self._bytes))
        return self._time(lambda: _upload(endpoint, head, self._bytes))

    def download(self) -> Trip:
        endpoint = self._server.endpoint
        return self._time(lambda: _download(endpoint, endpoint.request("GET", self._down), len(self._bytes)))

    def growth(self, trip: Callable[[], Trip]) -> int:
        """How far the server's memory rose at its peak."""
        return grown_bytes(self._server.process.pid, trip)

    def _time(self, work: Callable[[], None]) -> Trip:
        clocks = family(self._server.process.pid)
        used, began = sum(map(cpu_ns, clocks)), time.perf_counter()
        work()
        seconds = time.perf_counter() - began
        return Trip(seconds, (sum(map(cpu_ns, clocks)) - used) / 1e3)


def _upload(endpoint: Endpoint, head: bytes, content: bytearray) -> None:
    with endpoint.connect() as connection:
        connection.sendall(head)
        connection.sendall(content)
        answer = connection.recv(1 << 16)
    assert answer.startswith((b"HTTP/1.1 204", b"HTTP/1.1 200")), answer


def _download(endpoint: Endpoint, request: bytes, size: int) -> None:
    place = memoryview(bytearray(1 << 20))
    with endpoint.connect() as connection:
        connection.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            received += connection.recv(1 << 16)
        head = head_of(received)
        assert head.startswith(b"HTTP/1.1 200"), head
        left = size - len(body_of(received))
        while left:
            got = connection.recv_into(place)
            assert got, "the server hung up"
            left -= got


def measure(server: Server, facts: Facts, folder: Path, rounds: int) -> Iterator[Row | Target]:
    """Alternates between Farthing and the bare app, up and down."""
    attachment = f"/api/v1/attachments/{_attachment(server.endpoint, facts)}"
    with bare_files(folder / "files", facts.token) as other:
        ours = Files(server, f"{attachment}/upload", f"{attachment}/download")
        bare = Files(other, "/", "/")
        for way in ("upload", "download"):
            growth = ours.growth(getattr(ours, way)) / 1e6  # first, because afterwards the server keeps its memory
            yield target(f"{way} of {MEBIBYTES} MiB, growth of memory, MB", growth, GROWTH_MB_MAX)
            trips: list[tuple[Trip, Trip]] = []
            for number in range(rounds + 1):
                pair = getattr(ours, way)(), getattr(bare, way)()
                trips += [pair] if number else []
            yield _row(way, facts, trips)
            share = median(floor.seconds / own.seconds for own, floor in trips)
            yield target(f"{way} of {MEBIBYTES} MiB, share of the bare app's rate", share, SHARE_MIN, at_least=True)


def _row(way: str, facts: Facts, trips: list[tuple[Trip, Trip]]) -> Row:
    seconds = median(own.seconds for own, _ in trips)
    return Row(
        line=way,
        name=f"{way} of {MEBIBYTES} MiB",
        database="sqlite",
        transactions=facts.transactions,
        workers=1,
        cpu_us=round(median(own.cpu_us for own, _ in trips), 1),
        bare_us=round(median(floor.cpu_us for _, floor in trips), 1),
        p50_ms=round(seconds * 1e3, 1),
        per_second=round(1 / seconds, 2),
    )


def _attachment(endpoint: Endpoint, facts: Facts) -> str:
    """Attached to one of the bills."""
    bills = _ask(endpoint, "GET", "/api/v1/bills")
    fields = {"filename": "scan.bin", "model": "Bill", "model_id": bills[0]["id"]}
    made: dict[str, str] = _ask(endpoint, "POST", "/api/v1/attachments", msgspec.json.encode(fields))
    assert facts.transactions
    return made["id"]


def _ask(endpoint: Endpoint, method: str, path: str, body: bytes = b"") -> Any:
    return msgspec.json.decode(body_of(ask(endpoint, endpoint.request(method, path, body))))["data"]


class BareFiles:
    """Receives a file: both hashes, written and synced under a temporary name. Sends it back as it reads it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["method"] == "POST":
            await self._take(receive)
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body", "body": b""})
        elif scope["path"] == "/":
            await self._give(send)
        else:
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body", "body": b""})

    async def _take(self, receive: Any) -> None:
        md5, sha256 = hashlib.md5(usedforsecurity=False), hashlib.sha256()
        half = self._folder / "half"
        with half.open("wb") as file:
            more = True
            while more:
                message = await receive()
                piece, more = message["body"], message.get("more_body", False)
                md5.update(piece)
                sha256.update(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        half.rename(self._folder / "whole")
        self._digests = md5.hexdigest(), sha256.hexdigest()

    async def _give(self, send: Any) -> None:
        with (self._folder / "whole").open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            headers = [(b"content-length", str(size).encode())]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            while piece := file.read(_PIECE):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})


def serve(folder: Path, port: int) -> None:
    import uvicorn

    uvicorn.run(
        BareFiles(folder), port=port, loop="asyncio", http="httptools", lifespan="off",
        log_config=None, access_log=False, server_header=False, proxy_headers=False,
    )  # fmt: skip


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
