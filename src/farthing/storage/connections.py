"""How do we hold on to PostgreSQL? A pool for everybody, and those that fibers have just used at hand."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any

import psycopg
from psycopg import generators, pq
from psycopg.adapt import PyFormat, Transformer
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool, PoolTimeout

from . import fibers
from .unit import Row, numbered

WAIT_S = 30
COMMIT = b"COMMIT"
_AT_ONCE_S = 0.001
_UNUSED_S = 1.0
# As many statements as we have, and some of them with several numbers of rows: all keep their plans.
_PLANS_MAX = 400
_DONE = (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK)


@lru_cache(maxsize=1024)
def _asked(sql: str) -> tuple[bytes, tuple[str, ...], list[PyFormat]]:
    text, names = numbered(sql)
    return text.encode(), names, [PyFormat.AUTO] * len(names)


class Connection(psycopg.Connection[Row]):
    """Of a fiber it sets only that fiber aside; everybody else it blocks.

    Fibers also `ask` without BEGIN and COMMIT. In a pipeline everything up to the next sync is one transaction, and
    that this has come is heard together with the first answer of the next: a small question costs a third less.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._transformer = Transformer(self)
        self._plans: dict[tuple[bytes, tuple[int, ...]], bytes] = {}
        self._watch: fibers.Watch | None = None
        # Who is told when it ends while nobody uses it.
        self.ended: Callable[[Connection], None] | None = None
        self._has_asked = False
        # The sync after the last question is on its way to us.
        self._is_ending = False

    def wait(self, gen: Any, *given: Any, **named: Any) -> Any:
        if not fibers.is_current():
            return super().wait(gen, *given, **named)
        until = self._watched().until
        try:
            wanted = next(gen)
            while not self.broken:
                wanted = gen.send(until(wanted))
        except StopIteration as done:
            return done.value
        raise _lost()

    def begin(self, words: bytes) -> None:
        self.settle()
        self.command(words)

    def command(self, words: bytes) -> None:
        """Without what a cursor does for parameters and rows; and a ROLLBACK leaves the plans that were made."""
        self.pgconn.send_query(words)
        [result] = self.wait(generators.execute(self.pgconn))
        if result.status != pq.ExecStatus.COMMAND_OK:
            raise psycopg.errors.error_from_result(result)
        assert words != COMMIT or result.command_status == COMMIT, "a statement had failed, and nothing is kept"

    def ask(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
        """In the snapshot of all that was asked since the last `end`."""
        pgconn, transformer = self.pgconn, self._transformer
        text, names, formats = _asked(sql)
        given = transformer.dump_sequence([parameters[name] for name in names], formats)
        if not pgconn.pipeline_status:
            pgconn.enter_pipeline_mode()
        self._has_asked = True
        plan = text, transformer.types or ()
        name = self._plans.get(plan)
        if name is None:
            name = self._prepare(*plan)
        pgconn.send_query_prepared(name, given, transformer.formats)
        pgconn.send_flush_request()
        result = self._answer()
        transformer.set_pgresult(result)
        return transformer.load_rows(0, result.ntuples, tuple)

    def _prepare(self, text: bytes, types: tuple[int, ...]) -> bytes:
        """Beyond what is kept each statement gets the one plan without a name."""
        name = b"farthing_%d" % len(self._plans) if len(self._plans) < _PLANS_MAX else b""
        self.pgconn.send_prepare(name, text, types)
        self.pgconn.send_flush_request()
        self._answer()
        if name:
            self._plans[text, types] = name
        return name

    def _answer(self) -> pq.abc.PGresult:
        self._flush()
        if self._is_ending:
            self._hear_the_end()
        result = self._result()
        if result is None or self._result() is not None:
            raise self._hung_up()
        if result.status not in _DONE:
            if result.error_field(pq.DiagnosticField.SEVERITY_NONLOCALIZED) == b"FATAL":
                self._hung_up()
            raise psycopg.errors.error_from_result(result)
        return result

    def _hung_up(self) -> psycopg.OperationalError:
        """The server has told that it closes its end, or not what was expected: nobody waits for what comes then."""
        self.unwatch()
        self.pgconn.finish()
        return _lost()

    def _result(self) -> pq.abc.PGresult | None:
        while self.pgconn.is_busy():
            self._watched().until(EVENT_READ)
            self._consume()
        return self.pgconn.get_result()

    def _consume(self) -> None:
        try:
            self.pgconn.consume_input()
        except psycopg.OperationalError:
            self.unwatch()  # its socket is closed
            raise

    def _flush(self) -> None:
        while self.pgconn.flush():
            if self._watched().until(EVENT_READ | EVENT_WRITE) & EVENT_READ:
                self._consume()

    def end(self) -> None:
        """Of the snapshot. Nothing was written, so nobody waits for the word that it has ended."""
        if self._has_asked:
            self._has_asked = False
            self._transformer.set_pgresult(None)  # a long answer is not kept until the next
            self.pgconn.pipeline_sync()
            self._is_ending = True
            self._flush()

    def settle(self) -> None:
        """Out of the pipeline, for whatever psycopg is to do with it."""
        if self.pgconn.pipeline_status:
            if self._is_ending:
                self._hear_the_end()
            self.pgconn.exit_pipeline_mode()

    def _hear_the_end(self) -> None:
        result = self._result()
        if result is None or result.status != pq.ExecStatus.PIPELINE_SYNC:
            raise self._hung_up()
        self._is_ending = False

    def _watched(self) -> fibers.Watch:
        if self._watch is None:
            # Of a connection that is lost there is no socket, and it says so.
            self._watch = fibers.Watch(self.pgconn.socket, self._hear)
        return self._watch

    def _hear(self) -> None:
        """Something has come although nobody waits: a sync, or that this is over."""
        try:
            self._consume()
        except psycopg.OperationalError:
            if self.ended:
                self.ended(self)

    def unwatch(self) -> None:
        if self._watch:
            self._watch.end()
            self._watch = None


def _lost() -> psycopg.OperationalError:
    return psycopg.OperationalError("the connection is lost")


def _configured(connection: Connection) -> None:
    # Whole numbers always travel as 64 bits; otherwise each size of number would get a plan of its own.
    connection.adapters.register_dumper(int, Int8Dumper)
    # A plan once made is kept: our statements look alike for everybody, and to plan a list takes as long as to run it.
    connection.execute("SET plan_cache_mode = force_generic_plan")
    # What begins without a word is a question, and has one snapshot for all of its statements.
    connection.execute("SET default_transaction_isolation = 'repeatable read'")
    connection.prepared_max = _PLANS_MAX


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
        if not connection.broken and not self._waiting and fibers.is_current() and self._has_room():
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
