"""Sends a file while a separate process is still writing it.

The process writes into an unnamed temporary file. So it never waits for a slow client, and no file is left behind if
the process or the server is killed. When the client hangs up, the process is ended.
"""

import asyncio
import logging
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from tempfile import TemporaryFile
from typing import BinaryIO

from msgspec import Struct
from starlette.types import Receive, Send

from farthing.kernel.errors import EXIT_FULL, NO_ROOM, DiskFull, FarthingError, TooMany, Unavailable

from ..answer import problems
from ..answer.reply import Reply, make_reply, send_reply
from ..handling.runtime import Runtime
from ..request.call import Produced
from ..request.language import State
from ..request.request import Presence

_AT_ONCE_MAX = 4
_RETRY_S = 5
# A client may ask for its next file as soon as it has received one, while the process that made that one is still
# ending.
_WAIT_S = 10.0


class ProductionLimit:
    """Limits how many files a server process produces at a time: one for each user, and a few in total.

    For each user, one more request waits for a while. Any further request is refused.
    """

    def __init__(self, at_once_max: int = _AT_ONCE_MAX, *, wait_s: float = _WAIT_S) -> None:
        self._at_once_max, self._wait_s = at_once_max, wait_s
        self._user_ids: set[int | None] = set()
        self._waiting: dict[int | None, asyncio.Event] = {}

    @asynccontextmanager
    async def admit(self, user_id: int | None) -> AsyncIterator[None]:
        await self._wait(user_id)
        if user_id in self._user_ids:
            raise TooMany("Another file is already being made for you. Try again when you have it.", _RETRY_S)
        if len(self._user_ids) >= self._at_once_max:
            raise TooMany("Too many files are being made at the moment. Try again in a few seconds.", _RETRY_S)
        self._user_ids.add(user_id)
        try:
            yield
        finally:
            self._user_ids.discard(user_id)
            for ended in self._waiting.values():
                ended.set()

    async def _wait(self, user_id: int | None) -> None:
        """Waits until the file may be produced or the time limit is reached. Only one request per user waits."""
        if user_id in self._waiting:
            return
        deadline = asyncio.get_running_loop().time() + self._wait_s
        try:
            while user_id in self._user_ids or len(self._user_ids) >= self._at_once_max:
                ended = self._waiting[user_id] = asyncio.Event()
                async with asyncio.timeout_at(deadline):
                    await ended.wait()
        except TimeoutError:
            pass
        finally:
            self._waiting.pop(user_id, None)


_LOG = logging.getLogger("farthing.produce")
# Nothing is sent until this much of the file, or all of it, exists. Until then, a failure can still be reported.
_FIRST_BYTES = 1024 * 1024
_PIECE_BYTES = 256 * 1024
_LOOK_EVERY_S = 0.05
_ERROR_CHARACTERS_MAX = 2000
_KILLED = "The file could not be made: its process was killed, perhaps because memory ran out. Try again later."


class _NotMadeError(Exception):
    """The file could not be made. The message is for the client."""


class _Production(Struct, frozen=True):
    """Holds the process and the file that it writes.

    The task `ended` ends with the process, and returns its error output. The task `gone` ends when the client hangs up.
    """

    file: BinaryIO
    process: Process
    ended: "asyncio.Task[tuple[bytes, bytes]]"
    gone: "asyncio.Task[None]"

    def read(self, offset: int) -> bytes:
        return os.pread(self.file.fileno(), _PIECE_BYTES, offset)

    @property
    def size(self) -> int:
        return os.fstat(self.file.fileno()).st_size

    async def wait(self) -> None:
        await asyncio.wait({self.ended, self.gone}, timeout=_LOOK_EVERY_S, return_when=asyncio.FIRST_COMPLETED)


async def send_produced(
    runtime: Runtime,
    limit: ProductionLimit,
    reply: Reply,
    produced: Produced,
    state: State,
    receive: Receive,
    send: Send,
) -> None:
    try:
        async with limit.admit(reply.user_id):
            with _make_temporary_file(runtime) as file:
                await _produce(runtime, reply, produced, file, receive, send)
    except _NotMadeError as error:
        await send_reply(make_reply(problems.not_ready(str(error)), state=state), send)
    except FarthingError as error:  # raised only before anything was sent
        await send_reply(make_reply(problems.answer_to(error), state=state), send)


def _make_temporary_file(runtime: Runtime) -> BinaryIO:
    """Makes the file in the data folder if there is one, because that disk should have enough room."""
    folder = runtime.settings.data
    try:
        return TemporaryFile(dir=folder if folder.is_dir() else None)
    except OSError as error:
        kind = DiskFull if error.errno in NO_ROOM else Unavailable
        raise kind(f"No temporary file can be made: {error}") from error


async def _produce(
    runtime: Runtime, reply: Reply, produced: Produced, file: BinaryIO, receive: Receive, send: Send
) -> None:
    process = await asyncio.create_subprocess_exec(*produced.words, stdin=PIPE, stdout=file, stderr=PIPE)
    production = _Production(
        file=file,
        process=process,
        ended=asyncio.ensure_future(process.communicate(produced.stdin)),
        gone=Presence(receive).gone(),
    )
    try:
        await _wait_for_start(production)
        if not production.gone.done():
            await _send_all(runtime, reply, production, send)
    finally:
        await _end(production)


async def _wait_for_start(production: _Production) -> None:
    while not (production.ended.done() or production.gone.done() or production.size >= _FIRST_BYTES):
        await production.wait()
    if production.ended.done() and production.process.returncode:
        _log_failure(production)
        raise _explain(production)


def _log_failure(production: _Production) -> None:
    code = production.process.returncode
    message = production.ended.result()[1][-_ERROR_CHARACTERS_MAX:].decode(errors="replace")
    if code and code < 0:
        message = f"its process was killed by signal {-code} {message}".rstrip()
    _LOG.error("a file could not be made: %s", message)


def _explain(production: _Production) -> Exception:
    """Chooses the error for the client. Does not repeat the process's error output, which may show internals."""
    code = production.process.returncode or 0
    if code == EXIT_FULL:
        return DiskFull("There is no room for the file.")
    if code < 0:
        return _NotMadeError(_KILLED)
    return Unavailable("The file could not be made.")


async def _send_all(runtime: Runtime, reply: Reply, production: _Production, send: Send) -> None:
    """Sends the file while it grows. If the process fails, the answer stays incomplete, so that the client notices."""
    length = [(b"content-length", b"%d" % production.size)] if production.ended.done() else []
    await send({"type": "http.response.start", "status": reply.status, "headers": [*reply.headers, *length]})
    sent = 0
    while not production.gone.done():
        is_complete = production.ended.done()
        piece = await runtime.run_in_thread(production.read, sent)
        if piece:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            sent += len(piece)
        elif not is_complete:
            await production.wait()
        elif production.process.returncode:
            _log_failure(production)
            return
        else:
            await send({"type": "http.response.body", "body": b""})
            return


async def _end(production: _Production) -> None:
    if production.process.returncode is None:
        with suppress(ProcessLookupError):
            production.process.terminate()
    production.gone.cancel()
    await asyncio.wait({production.ended, production.gone})
