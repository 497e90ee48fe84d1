"""Manages the threads of a server process, other than the event loop and the threads of the database.

There are separate pools, so that neither a slow disk nor an unresponsive provider delays anybody's sign-in.
"""

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar
from weakref import WeakValueDictionary

from farthing.storage.fair.file_readers import FileReaders
from farthing.storage.fair.line import Asker
from farthing.storage.fair.queue import FairQueue
from farthing.storage.fair.threads import FairThreads

from ..request.request import Askers, Request
from ..route import Before, Route

T = TypeVar("T")
Q = TypeVar("Q")
_FILE_THREADS = 4
# Each of these threads takes 64 MiB while it hashes a password.
_HASHING_THREADS = 2
# These threads hash and write uploaded files. More of them, with the event loop, could keep all processors busy.
_STORING_THREADS = 2
# Each of these threads only waits for another server.
_WAITING_THREADS = 8


class Threads:
    """Runs slow steps outside units of work."""

    def __init__(self, askers: Askers) -> None:
        self._askers = askers
        self._files = ThreadPoolExecutor(_FILE_THREADS, thread_name_prefix="farthing-files")
        self._storing = FairThreads("farthing-storing", _STORING_THREADS, of_user_max=1)
        self._waiting = ThreadPoolExecutor(_WAITING_THREADS, thread_name_prefix="farthing-waiting")
        self._accounts_of: WeakValueDictionary[Hashable, FairQueue] = WeakValueDictionary()
        self._hashing = FairThreads("farthing-hashing", _HASHING_THREADS, of_user_max=1)
        self._file_readers = FileReaders()

    def run_with_files(self, work: Callable[..., T], *arguments: object) -> "asyncio.Future[T]":
        return asyncio.get_running_loop().run_in_executor(self._files, work, *arguments)

    async def store(self, asker: Asker, work: Callable[..., T], *arguments: object) -> T:
        """Runs work on a piece of an uploaded file in a thread. Users take turns."""
        return await self._storing.run(asker, work, *arguments)

    def ask_others(self, work: Callable[..., T], *arguments: object) -> "asyncio.Future[T]":
        return asyncio.get_running_loop().run_in_executor(self._waiting, work, *arguments)

    async def hash(self, route: Route, request: Request, work: Callable[..., T], *arguments: object) -> T:
        """Runs the check of a password or a passkey. The number of attempts is limited in `identity/signing_in`."""
        if not route.is_open:
            return await self._hashing.run(self._askers.of_large(request), work, *arguments)
        # Addresses take turns, and so do the accounts at each address. So guessing with many names gains no extra
        # turns.
        address = self._askers.of_visitor(request)
        accounts = self._accounts_of.setdefault(address.user, FairQueue(1, 1))
        hashing = partial(self._hashing.run, address, work, *arguments)
        return await accounts.run(self._askers.of_account(request), hashing)

    async def prepare(self, route: Route, request: Request, before: Before[Q], question: Q) -> object:
        """Runs the slow step before a handler. Steps that read untrusted files get separate processes, which are ended
        when the client hangs up."""
        compute: Callable[..., object] | None = before.compute
        assert compute is not None, "the caller has checked that there is something to compute"
        if before.reads:
            key = before.key(question) if before.key else None
            return await self._file_readers.run(self._askers.of_large(request), partial(compute, question), key)
        if before.waits:
            return await self.ask_others(compute, question)
        return await self.hash(route, request, compute, question)

    def close(self) -> None:
        self._file_readers.close()
        self._files.shutdown()
        self._storing.shutdown()
        self._waiting.shutdown()
        self._hashing.shutdown()
