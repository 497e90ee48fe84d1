"""psycopg's pool of connections to PostgreSQL; fibers hand the connections they have just used to one another."""

import asyncio
import threading
from contextlib import suppress

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from . import fibers
from .connection import Connection

CONNECT_TIMEOUT_S = 30
_NO_WAIT_S = 0.001
_KEEP_S = 1.0
_CLOSE_TIMEOUT_S = 1.0


class Connections:
    """The pool alone costs a fifth of a short read: each would register with the event loop and wait for a COMMIT."""

    def __init__(self, url: str, connections_max: int, *, prepare: bool) -> None:
        self._prepare = prepare
        self.is_lost = False
        self.pool = ConnectionPool(
            url,
            connection_class=Connection,
            min_size=1,
            max_size=connections_max,
            timeout=CONNECT_TIMEOUT_S,
            kwargs={"autocommit": True},
            configure=self._configure,
            open=True,
            name="farthing",
        )
        # Kept for the fibers of one event loop, for a second at most; one is always left for threads.
        self._kept: list[Connection] = []
        self._kept_max = connections_max - 1
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._adopting = threading.Lock()

    def _configure(self, connection: Connection) -> None:
        connection.can_prepare = self._prepare
        if self._prepare:
            # Our statements suit one plan for everybody, and planning a list takes as long as running it.
            connection.execute("SET plan_cache_mode = force_generic_plan")

    def take(self) -> Connection:
        """A fiber takes a free connection; when there is none, a thread waits for it."""
        if fibers.is_current():
            if self._kept and self._loop is asyncio.get_running_loop():
                return self._kept.pop()
            if self.pool.get_stats()["pool_available"]:
                with suppress(PoolTimeout):
                    return self.pool.getconn(_NO_WAIT_S)
        return fibers.run_in_thread(self.pool.getconn)

    def give_back(self, connection: Connection) -> None:
        if not (connection.closed or self.is_lost) and fibers.is_current() and self._can_keep():
            self._kept.append(connection)
        else:
            self._put(connection)

    def _can_keep(self) -> bool:
        loop = asyncio.get_running_loop()
        if self._loop is not loop and not self._adopt(loop):
            return False
        if self._timer is None:
            self._timer = loop.call_later(_KEEP_S, self._put_all)
        return len(self._kept) < self._kept_max and not self.pool.get_stats()["requests_waiting"]

    def _adopt(self, loop: asyncio.AbstractEventLoop) -> bool:
        """A server has one event loop; tests have several, one after the other or at once."""
        with self._adopting:
            if self._loop and not self._loop.is_closed():
                return False
            for one in self._kept:
                one.unwatch()
            self._loop, self._timer = loop, None
            return True

    def _put(self, connection: Connection) -> None:
        with suppress(psycopg.Error):  # it is lost, and the pool makes another
            connection.settle()
        connection.unwatch()
        if connection.closed:  # all are discarded: the others would fail one request each
            self.is_lost = True
            fibers.run_in_thread(self.pool.close, _CLOSE_TIMEOUT_S)  # who waits in it is told at once
        self.pool.putconn(connection)

    def _put_all(self) -> None:
        """So that threads get their share, and the pool closes what is old or not needed."""
        kept, self._kept, self._timer = self._kept, [], None
        for one in kept:
            fibers.run(self._put, one)

    def close(self) -> None:
        """In the thread of the event loop, if there was one."""
        if self._timer:
            self._timer.cancel()
        for one in self._kept:
            one.close()
        self.pool.close()
