"""Sends a file that a process of its own makes, while it is being made.

The process writes into a file without a name, so that it never waits for a slow client, and nothing is left behind,
whoever is killed. When the client goes away, the process is ended.
"""

import asyncio
import logging
import os
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from tempfile import TemporaryFile
from typing import BinaryIO

from msgspec import Struct
from starlette.types import Receive, Send

from farthing.kernel.errors import EXIT_FULL, NO_ROOM, DiskFull, FarthingError, Unavailable

from .answer import problems
from .answer.reply import Reply, make_reply, send_reply
from .endpoint import Runtime
from .request.call import Produced
from .request.presence import Presence

_LOG = logging.getLogger("farthing.produce")
# Nothing is sent before this much, or the whole file, is there: until then a failure can still be answered.
_FIRST_BYTES = 1024 * 1024
_PIECE_BYTES = 256 * 1024
_LOOK_EVERY_S = 0.05
_SAID_MAX = 2000
_KILLED = "The file could not be made: its process was killed, perhaps because memory ran out. Try again later."


class _NotMadeError(Exception):
    """Says to the client why there is no file."""


class _Production(Struct, frozen=True):
    """`ended` gives what the process says of its failure; `gone` is done when the client has left."""

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


async def send_produced(runtime: Runtime, reply: Reply, produced: Produced, receive: Receive, send: Send) -> None:
    try:
        async with runtime.productions.admit(reply.user_id):
            with _temporary(runtime) as file:
                await _produce(runtime, reply, produced, file, receive, send)
    except _NotMadeError as error:
        await send_reply(make_reply(problems.not_ready(str(error))), send)
    except FarthingError as error:  # only before anything was sent
        await send_reply(make_reply(problems.answer_to(error)), send)


def _temporary(runtime: Runtime) -> BinaryIO:
    """Beside the database, where there is room for it."""
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
    made = _Production(
        file=file,
        process=process,
        ended=asyncio.ensure_future(process.communicate(produced.given)),
        gone=Presence(receive).gone(),
    )
    try:
        await _wait_for_start(made)
        if not made.gone.done():
            await _send_all(runtime, reply, made, send)
    finally:
        await _end(made)


async def _wait_for_start(made: _Production) -> None:
    while not (made.ended.done() or made.gone.done() or made.size >= _FIRST_BYTES):
        await made.wait()
    if made.ended.done() and made.process.returncode:
        _log_failure(made)
        raise _refusal(made)


def _log_failure(made: _Production) -> None:
    code, said = made.process.returncode, made.ended.result()[1][-_SAID_MAX:].decode(errors="replace")
    if code and code < 0:
        said = f"its process was killed by signal {-code} {said}".rstrip()
    _LOG.error("a file could not be made: %s", said)


def _refusal(made: _Production) -> Exception:
    """What the process itself says may be of no concern to clients."""
    code = made.process.returncode or 0
    if code == EXIT_FULL:
        return DiskFull("There is no room for the file.")
    if code < 0:
        return _NotMadeError(_KILLED)
    return Unavailable("The file could not be made.")


async def _send_all(runtime: Runtime, reply: Reply, made: _Production, send: Send) -> None:
    """If the process fails on the way, the answer is left incomplete, so that the client notices."""
    length = [(b"content-length", b"%d" % made.size)] if made.ended.done() else []
    await send({"type": "http.response.start", "status": reply.status, "headers": [*reply.headers, *length]})
    sent = 0
    while not made.gone.done():
        is_complete = made.ended.done()
        piece = await runtime.run_in_thread(made.read, sent)
        if piece:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            sent += len(piece)
        elif not is_complete:
            await made.wait()
        elif made.process.returncode:
            _log_failure(made)
            return
        else:
            await send({"type": "http.response.body", "body": b""})
            return


async def _end(made: _Production) -> None:
    if made.process.returncode is None:
        with suppress(ProcessLookupError):
            made.process.terminate()
    made.gone.cancel()
    await asyncio.wait({made.ended, made.gone})
