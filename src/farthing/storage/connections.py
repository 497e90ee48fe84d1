"""How do we hold on to PostgreSQL? A pool for everybody, and those that fibers have just used at hand."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

import psycopg
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool, PoolTimeout

from . import fibers
from .connection import Connection

WAIT_S = 30
_AT_ONCE_S = 0.001
_UNUSED_S = 1.0


def _configured(connection: Connection) -> None:
    # Whole numbers always travel as 64 bits; otherwise each size of number would get a plan of its own.
    connection.adapters.register_dumper(int, Int8Dumper)
    # A plan once made is kept: our statements look alike for everybody, and to plan a list takes as long as to run it.
    connection.execute("SET plan_cache_mode = force_generic_plan")
    # What begins without a word is a question, and has one snapshot for all of its statements.
    connection.execute("SET default_transaction_isolation = 'repeatable read'")
    # And writes nothing. Where nobody may write, that is left as it was found: it may end, as with a standby.
    if connection.execute("SHOW transaction_read_only").fetchone() == ("off",):
        connection.execute("SET default_transaction_read_only = on")
        connection.can_write = True


class Connections:
    """A fiber that ends leaves its connection to the next one, as it is. One always stays for the threads.

    `lose` is given what ended while it rested.
    """

    def __init__(self, url: str, connections_max: int, lose: "Callable[[Connections, Connection], None]") -> None:
        self._lose = lose
        self._pool = ConnectionPool(
            url,
            connection_class=Connection,
            min_size=1,
            max_size=connections_max,
            timeout=WAIT_S,
            kwargs={"autocommit": True},
            configure=_configured,
            open=True,
            name="farthing",
        )
        self._resting_max = connections_max - 1
        # These are watched by one event loop, and nobody else knows of them.
        self._resting: list[Connection] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unused = 0
        self._timer: asyncio.TimerHandle | None = None
        self._waiting = 0
        self._lock = threading.Lock()

    def first(self) -> None:
        self._pool.wait(WAIT_S)

    def take(self) -> Connection:
        """A fiber takes what is there; for what has to be waited for, others wait."""
        if fibers.is_current():
            if self._resting and self._loop is asyncio.get_running_loop():
                connection = self._resting.pop()
                self._unused = min(self._unused, len(self._resting))
                return connection
            with suppress(PoolTimeout):
                if self._pool.get_stats()["pool_available"]:
                    return self._pool.getconn(_AT_ONCE_S)
        return fibers.aside(self._waited_for)

    def _waited_for(self) -> Connection:
        with self._lock:
            self._waiting += 1
        try:
            return self._pool.getconn()
        finally:
            with self._lock:
                self._waiting -= 1

    def give_back(self, connection: Connection) -> None:
        is_good = not (connection.broken or connection.is_old)
        if is_good and not self._waiting and fibers.is_current() and self._has_room():
            connection.ended = self._ended
            self._resting.append(connection)
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(_UNUSED_S, self._tidy)
        else:
            self._put_back(connection)

    def _has_room(self) -> bool:
        loop = asyncio.get_running_loop()
        if self._loop is not loop and not self._is_taken_over(loop):
            return False
        return len(self._resting) < self._resting_max

    def _is_taken_over(self, loop: asyncio.AbstractEventLoop) -> bool:
        """A server has one loop. Whoever has several, as tests do, has connections at hand in one of them at a time."""
        with self._lock:
            if self._loop and not self._loop.is_closed():
                return False
            self._loop, self._timer = loop, None
        for one in self._resting:
            one.close()
            self._pool.putconn(one)
        self._resting.clear()
        return True

    def _ended(self, connection: Connection) -> None:
        if connection in self._resting:  # otherwise whoever has it finds out
            self._resting.remove(connection)
            fibers.run(self._lose, self, connection)

    def _put_back(self, connection: Connection) -> None:
        try:
            with suppress(psycopg.Error):  # it is lost, and the pool makes another
                connection.settle()
        finally:
            connection.unwatch()
            self._pool.putconn(connection)

    def _tidy(self) -> None:
        """As many as nobody needed for a while go back."""
        unused, self._resting = self._resting[: self._unused], self._resting[self._unused :]
        for one in unused:
            fibers.run(self._put_back, one)
        self._unused = len(self._resting)
        self._timer = asyncio.get_running_loop().call_later(_UNUSED_S, self._tidy) if self._resting else None

    def give_up(self, timeout_s: float) -> None:
        """By whichever thread. What rests ends by itself, or is put back when nobody has needed it, and ends there."""
        self._pool.close(timeout_s)

    def close(self) -> None:
        """By the thread of the event loop, if there was one."""
        if self._timer:
            self._timer.cancel()
        resting, self._resting = self._resting, []
        for one in resting:
            one.unwatch()
            one.close()
        self._pool.close()
