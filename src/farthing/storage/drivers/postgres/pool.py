"""Wraps psycopg's pool of connections to PostgreSQL. Fibers can pass a used connection on without the pool."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic

import psycopg
from psycopg import generators, waiting
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from farthing.kernel.errors import Locked, Misconfigured, Unavailable

from . import fibers
from .connection import PostgresConnection

CONNECT_TIMEOUT_S = 30
# A database that takes longer to accept a connection is frozen or unreachable.
ALIVE_S = 2.0
# While the database is unreachable, one request per interval of this length tries to connect. The rest fail at once.
RETRY_EVERY_S = 1.0
# How long a statement may take in a request (as long as a request waits for a locked SQLite file), and in large work,
# which runs in a thread.
_STATEMENT_S, _LARGE_STATEMENT_S = 30, 600
# Keepalives, so that a dead network path is noticed. The URL may override them.
_KEEPALIVES = {
    "connect_timeout": 5, "keepalives_idle": 30, "keepalives_interval": 5, "keepalives_count": 3,
    "tcp_user_timeout": 4000,
}  # fmt: skip
_NO_WAIT_S = 0.001
_KEEP_S = 1.0
_CLOSE_TIMEOUT_S = 0.2
# Probing has its own thread, because all others may be busy waiting for a connection.
_PROBING = ThreadPoolExecutor(1, "farthing-probing")


def add_keepalives(url: str) -> str:
    return make_conninfo("", **{**_KEEPALIVES, **conninfo_to_dict(url)})


def connect_once(url: str, timeout_s: float) -> None:
    """Connects and runs a query, because a pooler accepts connections even when its database is frozen.

    Unlike psycopg, this never takes longer than the timeout, even if the host name has several addresses.
    """
    until = monotonic() + timeout_s
    connection = waiting.wait_conn(generators.connect(url), interval=0.1, timeout=timeout_s)
    try:
        _refuse_encoding(connection.parameter_status(b"server_encoding"))
        connection.send_query(b"SELECT 1")
        left_s = max(0.0, until - monotonic())
        waiting.wait(generators.execute(connection), connection.socket, interval=0.1, timeout=left_s)
    finally:
        connection.finish()


def _refuse_encoding(encoding: bytes | None) -> None:
    """Refuses encodings other than UTF8, which cannot store every character. A pooler may not report the encoding."""
    if encoding not in (None, b"UTF8"):
        raise Misconfigured(
            f"the database is encoded in {encoding.decode()}, but Farthing needs UTF8. Create one with: "
            "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
        )


class Pool:
    """Combines psycopg's pool with a few connections that fibers reuse directly for up to a second.

    With psycopg's pool alone, a short read would cost a fifth more: each read would have to register its connection
    with the event loop and wait for its COMMIT.
    """

    def __init__(self, url: str, connections_max: int, *, prepare: bool) -> None:
        self._url = url
        self._prepare = prepare
        self.is_lost = False
        self.retry_at = 0.0
        self.is_first_retry = False
        self._is_probing = False
        self._inner = ConnectionPool(
            url,
            connection_class=PostgresConnection,
            min_size=1,
            max_size=connections_max,
            timeout=CONNECT_TIMEOUT_S,
            kwargs={"autocommit": True},
            configure=self._configure,
            open=True,
            name="farthing",
        )
        # Idle connections for the fibers of one event loop, kept for up to a second. At least one connection is always
        # left for threads.
        self._kept: list[PostgresConnection] = []
        self._kept_max = connections_max - 1
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._adopting = threading.Lock()

    def _configure(self, connection: PostgresConnection) -> None:
        connection.can_prepare = self._prepare
        if self._prepare:
            # One plan fits all values of a statement, and planning takes as long as running the statement.
            connection.execute("SET plan_cache_mode = force_generic_plan")
        connection.check = (
            self.check
        )  # set only now, because it may close the pool, which the pool's own thread cannot do

    def take(self) -> PostgresConnection:
        """Takes a connection from the pool. If none is free, a fiber is suspended while a thread waits for one."""
        if fibers.is_current():
            if self._kept and self._loop is asyncio.get_running_loop():
                return self._kept.pop()
            if self._inner.get_stats()["pool_available"]:
                with suppress(PoolTimeout):
                    return self._inner.getconn(_NO_WAIT_S)
        since = monotonic()
        while True:
            try:
                return fibers.run_in_thread(self._inner.getconn, fibers.SILENT_S)
            except PoolTimeout:
                self.check(since)

    def check(self, since: float) -> None:
        """Raises an error if a statement takes too long, or if the database is frozen.

        A frozen database, unlike a slow one, does not accept a new connection.
        """
        waited_s = monotonic() - since
        if waited_s > (_STATEMENT_S if fibers.is_current() else _LARGE_STATEMENT_S):
            raise Locked(f"A statement took longer than {waited_s:.0f} s, and was cancelled.")
        if not (self.is_lost or self._is_probing):
            self._probe()
        if self.is_lost:
            raise Unavailable(f"The database has been silent for {monotonic() - since:.0f} s.")

    def _probe(self) -> None:
        self._is_probing = True
        try:
            if fibers.run_in_thread(_is_frozen, self._url, threads=_PROBING):
                self.retry_at = monotonic() + RETRY_EVERY_S
                self._lose()
        finally:
            self._is_probing = False

    def give_back(self, connection: PostgresConnection) -> None:
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
        return len(self._kept) < self._kept_max and not self._inner.get_stats()["requests_waiting"]

    def _adopt(self, loop: asyncio.AbstractEventLoop) -> bool:
        """Reserves the kept connections for this event loop, unless another has them. Only tests have several loops."""
        with self._adopting:
            if self._loop and not self._loop.is_closed():
                return False
            for connection in self._kept:
                connection.unwatch()
            self._loop, self._timer = loop, None
            return True

    def _put(self, connection: PostgresConnection) -> None:
        with suppress(psycopg.Error, Unavailable):  # the connection is lost, and the pool opens another
            connection.settle()
        connection.unwatch()
        if connection.closed:
            self._lose()
        self._inner.putconn(connection)

    def _lose(self) -> None:
        """Discards all connections. The remaining ones are also broken, and each would make one more request fail."""
        self.is_lost = True
        fibers.run_in_thread(self._inner.close, _CLOSE_TIMEOUT_S)  # waiting callers fail at once

    def _put_all(self) -> None:
        """Returns the kept connections to psycopg's pool, so that threads can use them and the pool can close them."""
        idle, self._kept, self._timer = self._kept, [], None
        for connection in idle:
            fibers.run(self._put, connection)

    def wait_until_open(self, timeout_s: float) -> None:
        self._inner.wait(timeout_s)

    def close(self) -> None:
        """Closes all connections. If there is an event loop, call this in its thread."""
        if self._timer:
            self._timer.cancel()
        for connection in self._kept:
            connection.close()
        self._inner.close()


def _is_frozen(url: str) -> bool:
    """Tells whether the server fails to answer a new connection in time. A server that refuses it is alive."""
    began = monotonic()
    with suppress(psycopg.Error):
        connect_once(url, ALIVE_S)
    return monotonic() - began >= ALIVE_S
