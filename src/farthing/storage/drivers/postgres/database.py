"""Opens units of work on PostgreSQL, in fibers and in threads, and replaces connections that are lost."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import partial
from typing import TypeVar

import psycopg
from msgspec import Struct

from farthing.kernel.errors import Locked, Unavailable

from ...fair.leash import LARGE_READ_S, Leash
from ...fair.line import ANYBODY, Asker
from ...fair.queue import FairQueue
from ...fair.rests import Rests
from ...fair.threads import FairThreads
from ...unit import Dialect, Unit
from . import fibers
from .connection import (
    PostgresConnection,
    translate,
)
from .pool import ALIVE_S, CONNECT_TIMEOUT_S, RETRY_EVERY_S, Pool, add_keepalives, connect_once
from .unit import READ, WRITE, PostgresUnit

_IS_ANALYZED = b"SELECT relpages > 0 FROM pg_class WHERE oid = to_regclass('entries')"
_LOOK_AGAIN_S = 0.01
T = TypeVar("T")
S = TypeVar("S", bound=Struct)


def _call_in(begin: Callable[[], AbstractContextManager[PostgresUnit]], work: Callable[[Unit], T]) -> T:
    with begin() as db:
        return work(db)


class PostgresDatabase:
    dialect: Dialect = "postgresql"

    def __init__(
        self, url: str, connections_max: int, *, prepare: bool = True, connect_s: float = CONNECT_TIMEOUT_S
    ) -> None:
        self._url = add_keepalives(url)
        self._connections_max, self._prepare = connections_max, prepare
        self.large_read_s = LARGE_READ_S
        self._has_statistics = False
        self._changing = threading.Lock()
        # Requests wait here, because waiting in the pool takes a thread each. One user gets at most half the pool.
        self._turns = FairQueue(connections_max, max(1, connections_max // 2))
        self._rests = Rests()
        threads = partial(FairThreads, at_once_max=max(1, connections_max // 4), of_user_max=1, rests=self._rests)
        self._readers, self._writers = threads("farthing-reader"), threads("farthing-writer")
        try:
            # A single connection is tried first: its error says what is wrong, while a pool only reports a timeout.
            connect_once(self._url, connect_s)
            self._pool = self._new_pool()
            self._pool.wait_until_open(connect_s)
        except psycopg.Error as error:
            raise translate(error) from error

    def _new_pool(self) -> Pool:
        return Pool(self._url, self._connections_max, prepare=self._prepare)

    async def read(self, work: Callable[[Unit], T], *, large: bool = False, asker: Asker = ANYBODY) -> T:
        """Runs large work in a thread: in a fiber, it would block the event loop while it computes."""
        self._rests.note_request(asker)
        if large:
            return await self._readers.run(asker, self._read_large, work, asker)
        return await self._turns.run(asker, partial(fibers.run, _call_in, self.reading, work))

    async def write(self, work: Callable[[Unit], T], *, large: bool = False, asker: Asker = ANYBODY) -> T:
        self._rests.note_request(asker)
        if large:
            return await self._writers.run(asker, _call_in, self.writing, work)
        return await self._turns.run(asker, partial(fibers.run, _call_in, self.writing, work))

    def _read_large(self, work: Callable[[Unit], T], asker: Asker) -> T:
        return _call_in(partial(PostgresUnit, self, READ, Leash(asker, self.large_read_s)), work)

    def reading(self) -> AbstractContextManager[PostgresUnit]:
        return PostgresUnit(self, READ)

    def writing(self) -> AbstractContextManager[PostgresUnit]:
        return PostgresUnit(self, WRITE)

    def current_pool(self) -> Pool:
        return self._reconnect() if self._pool.is_lost else self._pool

    def _reconnect(self) -> Pool:
        """Lets one request at a time try to reconnect, with pauses.

        Other requests wait for the first attempt, because usually only the connections were lost. If it fails,
        further requests fail at once instead of waiting.
        """
        with self._changing:
            lost, now = self._pool, time.monotonic()
            if not lost.is_lost:
                return lost
            may_try = now >= lost.retry_at
            if not (may_try or lost.is_first_retry):
                raise Unavailable("The database cannot be reached just now: the last attempt was a moment ago.")
            if may_try:
                lost.is_first_retry = lost.retry_at == 0
                lost.retry_at = now + ALIVE_S + RETRY_EVERY_S
        if may_try:
            self._replace(lost)
        while lost.is_first_retry:
            fibers.pause(_LOOK_AGAIN_S)
        return self.current_pool()

    def _replace(self, lost: Pool) -> None:
        try:
            fibers.run_in_thread(connect_once, self._url, ALIVE_S)
            with self._changing:
                if self._pool is lost:
                    self._pool = self._new_pool()
        finally:
            lost.retry_at = time.monotonic() + RETRY_EVERY_S
            lost.is_first_retry = False

    def gather_first_statistics(self, connection: PostgresConnection) -> None:
        """Runs ANALYZE after the first large write into an empty database.

        PostgreSQL keeps the plans that it made for empty tables until its next automatic ANALYZE, a minute or two
        later. With these plans, a list of accounts takes seconds.
        """
        if self._has_statistics:
            return
        # The unit is already committed, so an error here must not look like a failure of the unit.
        with suppress(psycopg.Error, Unavailable, Locked):
            [result] = connection.run_batch([(_IS_ANALYZED, None)])
            self._has_statistics = connection.load(result) == [(True,)]
            if not self._has_statistics:
                connection.run_batch([(b"ANALYZE", None)])

    def keep_copy(self, name: str) -> None:
        """Does nothing, because the administrator of PostgreSQL makes backups."""

    def close(self) -> None:
        self._readers.shutdown()
        self._writers.shutdown()
        self._pool.close()
