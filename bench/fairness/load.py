"""Sends an attack, in a process of its own, until it is told to stop."""

import asyncio
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from multiprocessing.synchronize import Event

from ..driver import Endpoint

# Another address than that of the other user: limits that hold for an address are not what is measured.
_SOURCE = ("127.0.0.2", 0)
_PIECE = 1 << 16
_PAUSE_S = 0.05
# The attack is written wrong.
_WRONG = (b"400", b"401", b"403", b"404", b"405", b"422")


@contextmanager
def sending(endpoint: Endpoint, requests: list[bytes], connections: int, hangs_up_s: float | None) -> Iterator[None]:
    """Prints at the end how often each status was answered."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    process = context.Process(
        target=_run, args=(endpoint.host, endpoint.port, requests, connections, hangs_up_s, stop), daemon=True
    )
    process.start()
    try:
        yield
    finally:
        stop.set()
        process.join(10)
        process.kill()


def _run(host: str, port: int, requests: list[bytes], connections: int, hangs_up_s: float | None, stop: Event) -> None:
    asyncio.run(_send_all(host, port, requests, connections, hangs_up_s, stop))


async def _send_all(
    host: str, port: int, requests: list[bytes], connections: int, hangs_up_s: float | None, stop: Event
) -> None:
    seen: Counter[bytes] = Counter()
    senders = [
        asyncio.create_task(_send(host, port, islice(cycle(requests), first % len(requests), None), hangs_up_s, seen))
        for first in range(connections)
    ]
    await asyncio.to_thread(stop.wait)
    for sender in senders:
        sender.cancel()
    await asyncio.wait(senders)
    print(
        "    answered:", ", ".join(f"{status.decode()} {count}" for status, count in sorted(seen.items())), flush=True
    )


async def _send(
    host: str, port: int, requests: Iterator[bytes], hangs_up_s: float | None, seen: Counter[bytes]
) -> None:
    while True:
        try:
            reader, writer = await asyncio.open_connection(host, port, local_addr=_SOURCE)
        except OSError:
            await asyncio.sleep(_PAUSE_S)
            continue
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            for request in requests:
                writer.write(request)
                await asyncio.wait_for(_receive(reader, seen), hangs_up_s)
        writer.transport.abort()
        seen[b"hung up"] += 1


async def _receive(reader: asyncio.StreamReader, seen: Counter[bytes]) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    if seen[status := head[9:12]] == 0 and status in _WRONG:
        print("   ", head.decode("latin-1"), (await reader.read(500)).decode(errors="replace"), flush=True)
    seen[status] += 1
    _, _, length = head.lower().partition(b"\r\ncontent-length: ")
    left = int(length.split(b"\r\n", 1)[0]) if length else -1
    while left:
        piece = await reader.read(_PIECE)
        if not piece:
            raise ConnectionError("the server hung up")
        left = left - len(piece) if left > 0 else left
    if status == b"429":  # like a client that reads Retry-After, but is in a hurry
        await asyncio.sleep(_PAUSE_S)
