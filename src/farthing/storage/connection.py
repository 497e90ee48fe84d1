"""How do we speak with PostgreSQL? In a pipeline, by plans that are kept; fibers are set aside, others block."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any

import psycopg
from psycopg import pq
from psycopg.adapt import PyFormat, Transformer

from . import fibers
from .unit import Row, Rows, for_postgres

COMMIT = b"COMMIT"
# Twice as many as all that we say: with several numbers of rows some 400, which keep their plans.
_PLANS_MAX = 800
# Of a statement with many rows each could have its NULLs elsewhere.
_PLANS_EACH_MAX = 8
_LIFETIME_S = 3600.0
_DONE = (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK)
_AUTO = [PyFormat.AUTO]

Types = tuple[int, ...]


@lru_cache(maxsize=1024)
def _in_its_words(sql: str) -> tuple[bytes, tuple[str, ...]]:
    text, names = for_postgres(sql)
    return text.encode(), names


class Connection(psycopg.Connection[Row]):
    """Without a BEGIN all that is said up to the next sync is one transaction.

    That a sync has come is heard together with the next answer, whosever that is: nobody waits for it alone.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._transformer = Transformer(self)
        self._plans: dict[tuple[bytes, Types], bytes] = {}
        # Of the parameters of a statement: those of each of its plans.
        self._types: dict[bytes, list[Types]] = {}
        self._old_at = time.monotonic() + _LIFETIME_S
        self._watch: fibers.Watch | None = None
        # Who is told when it ends while nobody uses it.
        self.ended: Callable[[Connection], None] | None = None
        # Its transactions are read only unless they say that they write.
        self.can_write = False
        # Since the last sync.
        self._has_asked = False
        self._has_failed = False
        # What is on its way to us: answers that nobody wants any more, and the sync behind them.
        self._unwanted = 0
        self._is_ending = False

    @property
    def is_old(self) -> bool:
        """Plans, and whatever else the server keeps for it, are not to be there for ever."""
        return time.monotonic() > self._old_at

    def ask(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
        return self.rows(self._told(sql, parameters))

    def run(self, sql: str, parameters: Mapping[str, Any]) -> int:
        """How many rows were touched."""
        return self._told(sql, parameters).command_tuples or 0

    def _told(self, sql: str, parameters: Mapping[str, Any]) -> pq.abc.PGresult:
        text, names = _in_its_words(sql)
        return self.tell(text, [parameters[name] for name in names])

    def tell(self, text: bytes, values: Sequence[Any]) -> pq.abc.PGresult:
        """One statement, in PostgreSQL's own words, and what belongs to its $1, $2 and so on."""
        self._ready(text, values)()
        self.pgconn.send_flush_request()
        return self._answer()

    def tell_each(self, sql: str, rows: Rows) -> list[pq.abc.PGresult]:
        """One statement for each of them, all sent together: to wait in between would take longer than the work."""
        text, names = _in_its_words(sql)
        given = (row if isinstance(row, tuple) else [row[name] for name in names] for row in rows)
        ready = [self._ready(text, values) for values in given]
        if not ready:
            return []
        for send in ready:
            send()
        self.pgconn.send_flush_request()
        answers: list[pq.abc.PGresult] = []
        try:
            answers.extend(self._answer() for _ in ready)
        finally:
            self._unwanted = max(0, len(ready) - len(answers) - 1)
        return answers

    def command(self, words: bytes) -> pq.abc.PGresult:
        """Without parameters and without a plan; with a sync of its own, so that it can follow upon a failure."""
        if self._has_failed:
            self.end()
        self._in_pipeline()
        self.pgconn.send_query_params(words, None)
        self.pgconn.pipeline_sync()
        try:
            result = self._answer()
        finally:
            self._has_asked = self._has_failed = False
            self._is_ending = True
        assert words != COMMIT or result.command_status == COMMIT, "a statement had failed, and nothing is kept"
        return result

    def rows(self, result: pq.abc.PGresult) -> list[Row]:
        self._transformer.set_pgresult(result)
        found = self._transformer.load_rows(0, result.ntuples, tuple)
        self._transformer.set_pgresult(None)  # a long answer is not kept until the next
        return found

    def end(self) -> None:
        """Of what was asked without a BEGIN. Nothing was written, so nobody waits for the word that it has ended."""
        if self._has_asked:
            if self._is_ending:  # what was asked has not been sent
                self._hear_the_end()
            self._has_asked = self._has_failed = False
            self.pgconn.pipeline_sync()
            self._is_ending = True
            self._flush()

    def settle(self) -> None:
        """Out of the pipeline, for whatever psycopg is to do with it."""
        if self.pgconn.pipeline_status:
            self.end()
            if self._is_ending:
                self._hear_the_end()
            self.pgconn.exit_pipeline_mode()

    def _in_pipeline(self) -> None:
        if not self.pgconn.pipeline_status:
            self.pgconn.enter_pipeline_mode()

    def _ready(self, text: bytes, values: Sequence[Any]) -> Callable[[], None]:
        if self._has_failed:
            raise psycopg.errors.InFailedSqlTransaction("something that was asked before has failed")
        self._in_pipeline()
        self._has_asked = True
        given = self._transformer.dump_sequence(values, _AUTO * len(values))
        formats = self._transformer.formats
        types = self._types_of(text, given)
        plan = self._plans.get((text, types)) or self._planned(text, types)
        if plan:
            return partial(self.pgconn.send_query_prepared, plan, given, formats)
        return partial(self.pgconn.send_query_params, text, given, types, formats)

    def _types_of(self, text: bytes, given: Sequence[Any]) -> Types:
        """Of a NULL it is that of a value in its place, or each choice of NULLs would get a plan of its own."""
        types = self._transformer.types or ()
        if None in given and (known := self._types.get(text)):
            return tuple(
                one if value is not None else last for value, one, last in zip(given, types, known[-1], strict=True)
            )
        return types

    def _planned(self, text: bytes, types: Types) -> bytes | None:
        if len(self._plans) >= _PLANS_MAX:
            return None
        known = self._types.setdefault(text, [])
        if len(known) >= _PLANS_EACH_MAX:
            return None
        name = b"farthing_%d" % len(self._plans)
        self.pgconn.send_prepare(name, text, types)
        self.pgconn.send_flush_request()
        self._answer()
        self._plans[text, types] = name
        known.append(types)
        return name

    def _answer(self) -> pq.abc.PGresult:
        try:
            self._flush()
            if self._is_ending:
                self._hear_the_end()
            result = self._result()
            if result is None or self._result() is not None:
                raise _lost()
        except BaseException:  # whose answer comes next, nobody knows any more
            self._hang_up()
            raise
        if result.status not in _DONE:
            self._has_failed = True
            raise self._error(result)
        return result

    def _error(self, result: pq.abc.PGresult) -> psycopg.Error:
        error = psycopg.errors.error_from_result(result)
        # The server hangs up, too; or a table was changed, and there are plans that fit it no more.
        if error.diag.severity_nonlocalized == "FATAL" or isinstance(error, psycopg.NotSupportedError):
            self._hang_up()
            return psycopg.OperationalError(str(error))
        return error

    def _hear_the_end(self) -> None:
        for _ in range(2 * self._unwanted):
            self._result()  # each is followed by a word that it was all
        result = self._result()
        if result is None or result.status != pq.ExecStatus.PIPELINE_SYNC:
            self._hang_up()
            raise _lost()
        self._unwanted = 0
        self._is_ending = False

    def _result(self) -> pq.abc.PGresult | None:
        while self.pgconn.is_busy():
            self._until(EVENT_READ)
            self._consume()
        return self.pgconn.get_result()

    def _flush(self) -> None:
        """What they answer meanwhile is read, or both of us could wait for the other to listen."""
        while self.pgconn.flush():
            if self._until(EVENT_READ | EVENT_WRITE) & EVENT_READ:
                self._consume()

    def _until(self, wanted: int) -> int:
        if fibers.is_current():
            return self._watched().until(wanted)
        return fibers.ready(self.pgconn.socket, wanted)

    def _consume(self) -> None:
        try:
            self.pgconn.consume_input()
        except psycopg.OperationalError:
            self.unwatch()  # its socket is closed
            raise

    def _hang_up(self) -> None:
        self.unwatch()
        self.pgconn.finish()

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
