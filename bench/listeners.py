"""What do listeners cost who hear nothing?

    python -m bench.listeners [--listeners 2000] [--seconds 30]

A hundred users listen, twenty times each, to one worker on SQLite: its memory and CPU with and without them, and how
long it takes until all of them hear of a change.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from statistics import median

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.http.events.listeners import PERSON_MAX
from farthing.identity import tokens
from farthing.storage import migrations
from farthing.storage.drivers.sqlite import SqliteDatabase

from .books import CREATED_AT
from .driver import Endpoint
from .processes import Server, farthing

_AT_ONCE = 50


def _make_users(path: Path, number: int) -> list[str]:
    database = SqliteDatabase(path)
    migrations.migrate(database)
    made = []
    for one in range(number):
        with database.writing() as db:
            user = user_lifecycle.add(db, f"user{one}@example.org", "no password", "UTC", CREATED_AT)
            made.append(tokens.issue(db, user.id, "bench", None, CREATED_AT))
    database.close()
    return made


async def _listen(endpoint: Endpoint, token: str, turns: asyncio.Semaphore) -> asyncio.StreamReader:
    async with turns:
        reader, writer = await asyncio.open_connection("127.0.0.1", endpoint.port)
        writer.write(
            f"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        )
        await reader.readuntil(b"data: ")
    _KEPT.append(writer)
    return reader


_KEPT: list[asyncio.StreamWriter] = []


async def _record(endpoint: Endpoint, token: str) -> None:
    body = b'{"tag": "heard"}'
    reader, writer = await asyncio.open_connection("127.0.0.1", endpoint.port)
    head = f"POST /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    assert b" 200 " in await reader.readline()
    writer.close()


async def _cpu(server: Server, seconds: float) -> float:
    before, began = server.cpu_ns(), time.monotonic()
    await asyncio.sleep(seconds)
    return (server.cpu_ns() - before) / 1e7 / (time.monotonic() - began)


async def _measure(server: Server, made: list[str], listeners: int, seconds: float) -> None:
    idle, memory = await _cpu(server, seconds), server.proportional_bytes()
    turns = asyncio.Semaphore(_AT_ONCE)
    chosen = [made[number // PERSON_MAX] for number in range(listeners)]
    readers = await asyncio.gather(*(_listen(server.endpoint, token, turns) for token in chosen))
    await asyncio.sleep(2)
    listening = await _cpu(server, seconds)
    grown = (server.proportional_bytes() - memory) / 2**20
    delays = []
    for number in range(5):
        began = time.monotonic()
        await _record(server.endpoint, made[number])
        mine = readers[number * PERSON_MAX : (number + 1) * PERSON_MAX]
        await asyncio.gather(*(reader.readuntil(b'"made"') for reader in mine))
        delays.append(time.monotonic() - began)
    print(f"CPU: {idle:.2f} % of a core without, {listening:.2f} % with {listeners} listeners")
    print(f"memory: {grown:.1f} MB more")
    print(f"until all of a user's listeners have heard: median {median(delays):.2f} s, at most {max(delays):.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.listeners", description=__doc__)
    parser.add_argument("--listeners", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=30)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = _make_users(folder / "farthing.sqlite3", -(-chosen.listeners // PERSON_MAX))
        with farthing(f"sqlite:///{folder / 'farthing.sqlite3'}", folder, token=made[0]) as server:
            asyncio.run(_measure(server, made, chosen.listeners, chosen.seconds))


if __name__ == "__main__":
    main()
