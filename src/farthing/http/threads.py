"""The threads of a server process beside the event loop and the database.

Separate pools, so that neither attachments on a slow disk nor a provider that does not answer delays anybody's sign-in.
"""

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar
from weakref import WeakValueDictionary

from farthing.storage.fair.file_readers import FileReaders
from farthing.storage.fair.queue import FairQueue
from farthing.storage.fair.threads import FairThreads

from .request.askers import Askers
from .request.request import Request
from .route import Before, Route

T = TypeVar("T")
Q = TypeVar("Q")
_FILE_THREADS = 4
# Each takes 64 MiB while it hashes a password.
_HASHING_THREADS = 2
# They only wait for other servers.
_WAITING_THREADS = 8


class Threads:
    def __init__(self, askers: Askers) -> None:
        self._askers = askers
        self._files = ThreadPoolExecutor(_FILE_THREADS, thread_name_prefix="farthing-files")
        self._waiting = ThreadPoolExecutor(_WAITING_THREADS, thread_name_prefix="farthing-waiting")
        self._accounts_of: WeakValueDictionary[Hashable, FairQueue] = WeakValueDictionary()
        self._hashing = FairThreads("farthing-hashing", _HASHING_THREADS, of_user_max=1)
        self._file_readers = FileReaders()

    def run_with_files(self, work: Callable[..., T], *given: object) -> "asyncio.Future[T]":
        return asyncio.get_running_loop().run_in_executor(self._files, work, *given)

    def ask_others(self, work: Callable[..., T], *given: object) -> "asyncio.Future[T]":
        return asyncio.get_running_loop().run_in_executor(self._waiting, work, *given)

    async def hash(self, route: Route, request: Request, work: Callable[..., T], *given: object) -> T:
        """Checks a password or a passkey. How often strangers may try is limited elsewhere."""
        if not route.is_open:
            return await self._hashing.run(self._askers.of_large(request), work, *given)
        # Addresses take turns, and at each address accounts do: nobody gets more turns by guessing at many names.
        address = self._askers.of_visitor(request)
        accounts = self._accounts_of.setdefault(address.user, FairQueue(1, 1))
        hashing = partial(self._hashing.run, address, work, *given)
        return await accounts.run(self._askers.of_account(request), hashing)

    async def prepare(self, route: Route, request: Request, before: Before[Q], question: Q) -> object:
        """Takes the slow step before a handler. Files of strangers are read in processes that end with the client."""
        compute: Callable[..., object] | None = before.compute
        assert compute is not None, "there is something to do"
        if before.reads:
            key = before.key(question) if before.key else None
            return await self._file_readers.run(self._askers.of_large(request), partial(compute, question), key)
        if before.waits:
            return await self.ask_others(compute, question)
        return await self.hash(route, request, compute, question)

    def close(self) -> None:
        self._file_readers.close()
        self._files.shutdown()
        self._waiting.shutdown()
        self._hashing.shutdown()
