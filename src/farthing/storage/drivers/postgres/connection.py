"""Sends statements to PostgreSQL and returns their results; a connection belongs to one unit of work at a time."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import psycopg
from psycopg import generators, pq
from psycopg.abc import PQGen
from psycopg.adapt import PyFormat, Transformer
from psycopg.types.numeric import Int8Dumper

from farthing.kernel.errors import Locked

from ...fair.leash import Leash
from ...unit import Row
from . import fibers

T = TypeVar("T")
Result = pq.abc.PGresult
Send = Callable[[], None]
Types = tuple[int, ...]
Values = Sequence[Any]
# Of each statement, the name of its plan and the types of its parameters: 0 where only NULL was given so far.
Plans = dict[bytes, tuple[bytes, Types]]
# The text and its values; a statement without values is never prepared.
Statement = tuple[bytes, Values | None]

COMMIT = b"COMMIT"
_CANCEL_S = 2.0
# About twice the number of statements in the program.
_PLANS_MAX = 800
# With a list of at least this length, a statement is planned again, for the tables as they are now: the same unit may
# have filled them, and the plan for empty tables would compare each of a thousand rows with every other.
_LONG_LIST = 100
_DONE = (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK)
_FORMATS = [PyFormat.AUTO]


class _Message(NamedTuple):
    """Holds something to send; a message that makes a plan names its statement, the plan and its types."""

    send: Send
    plan: tuple[bytes, bytes, Types] | None = None


class PostgresConnection(psycopg.Connection[Row]):
    """psycopg's connection, which waits on the event loop when a fiber uses it.

    Statements bypass psycopg's cursors, which take two to three times the CPU; values, rows and errors are psycopg's.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        # Every whole number is sent as 64 bits: otherwise each size of number would need a plan of its own.
        self.adapters.register_dumper(int, Int8Dumper)
        self.can_prepare = True
        self._transformer = Transformer(self)
        self._plans: Plans = {}
        self._watch: fibers.Watch | None = None
        # Raises if the database is not alive; takes the time at which waiting began. Set by the pool.
        self.check: Callable[[float], None] = lambda _since: None
        self._since = 0.0
        # Of the unit of work that has the connection, if it may be interrupted.
        self.leash: Leash | None = None
        self._begin: bytes | None = None
        # Which statement of the last batch has failed.
        self.failed_at = 0
        # COMMIT was sent, and its result not received yet.
        self._is_ending = False

    def wait(self, gen: PQGen[T], *arguments: Any, **named: Any) -> T:
        self._since = monotonic()
        if not fibers.is_current():
            return super().wait(self._check_at_times(gen), *arguments, **named)
        if self._watch is None:
            self._watch = fibers.Watch(self.pgconn.socket, self._receive, self._check)
        return self._watch.run(gen)

    def _check(self) -> None:
        try:
            self.check(self._since)
        except Locked:  # otherwise the server would go on, and keep its locks, until it notices the closed connection
            self._cancel()
            raise

    def _cancel(self) -> None:
        """The statement then fails in the server; its connection stays."""
        with suppress(psycopg.Error):
            fibers.run_in_thread(partial(self.cancel_safe, timeout=_CANCEL_S))

    def _check_at_times(self, gen: PQGen[T]) -> PQGen[T]:
        """Checks the database while a thread waits: psycopg reports ten times a second that nothing has arrived."""
        check_at = self._since + fibers.SILENT_S
        cancel_at = self._since
        try:
            event = next(gen)
            while True:
                ready = yield event
                if not ready and self.leash and self.leash.is_over() and monotonic() > cancel_at:
                    self._cancel()
                    cancel_at = monotonic() + fibers.SILENT_S
                if not ready and monotonic() > check_at:
                    self._check()
                    check_at = monotonic() + fibers.SILENT_S
                event = gen.send(ready)
        except StopIteration as ended:
            result: T = ended.value
            return result

    def _receive(self) -> None:
        try:
            self.pgconn.consume_input()
        except psycopg.OperationalError:  # it is lost; whoever uses it next finds out
            self.unwatch()

    def unwatch(self) -> None:
        """Call this before another event loop or a thread uses the connection."""
        if self._watch:
            self._watch.end()
            self._watch = None

    def close(self) -> None:
        self.unwatch()
        super().close()

    def begin(self, words: bytes) -> None:
        """Sends it together with the first statement, which saves a round trip."""
        self._begin = words

    def end_reads(self) -> None:
        """Leaves the result of this COMMIT until the connection is used again, because nothing depends on it."""
        with suppress(psycopg.Error):
            self.pgconn.send_query_params(COMMIT, None)
            self.pgconn.flush()
            self._is_ending = True

    def settle(self) -> None:
        """Receives the result of the last COMMIT, and leaves the connection to psycopg."""
        try:
            if self._is_ending:
                self._is_ending = False
                self.wait(generators.execute(self.pgconn))
        except BaseException:
            self.close()
            raise

    def script(self, sql: str) -> None:
        if self._begin:
            self.run_batch([])
        self.execute(sql, prepare=False)

    def run_batch(self, statements: Sequence[Statement]) -> list[Result]:
        """Runs statements in order, and returns their results. All are sent together: waiting for each takes longer
        than the work. After one that fails none is run; `failed_at` tells which.
        """
        if self._is_ending:
            self.settle()
        plans: Plans = {}
        messages = [message for text, values in statements for message in self._make_messages(text, values, plans)]
        if begin := self._begin:
            messages, self._begin = [_Message(partial(self.pgconn.send_query_params, begin, None)), *messages], None
        results: list[Result] = []
        for message, result in zip(messages, self._exchange(messages), strict=True):
            if result.status not in _DONE:
                self.failed_at = len(results) - bool(begin)
                raise self._error(result)
            if message.plan:
                text, name, types = message.plan
                self._plans[text] = name, types
            else:
                results.append(result)
        return results[1:] if begin else results

    def load(self, result: Result) -> list[Row]:
        self._transformer.set_pgresult(result)
        rows = self._transformer.load_rows(0, result.ntuples, tuple)
        self._transformer.set_pgresult(None)  # so that a long result is not kept in memory until the next one
        return rows

    def _make_messages(self, text: bytes, values: Values | None, plans: Plans) -> Iterator[_Message]:
        """`plans` are those that this batch makes."""
        if values is None:
            yield _Message(partial(self.pgconn.send_query_params, text, None))
            return
        dumped = self._transformer.dump_sequence(values, _FORMATS * len(values))
        types, formats = self._transformer.types or (), self._transformer.formats
        name, old_types = plans.get(text) or self._plans.get(text, (b"", types))
        if not self.can_prepare or _has_long_list(values) or (not name and len(self._plans) >= _PLANS_MAX):
            yield _Message(partial(self.pgconn.send_query_params, text, dumped, types, formats))
            return
        # A parameter that was NULL so far has no type in the plan: when a value shows it, the plan is made again.
        if not name or (types != old_types and any(new and not old for new, old in zip(types, old_types, strict=True))):
            types = tuple(new or old for new, old in zip(types, old_types, strict=True))
            # Named by its content: behind a pooler, another client's statement must not have the same name.
            name = blake2b(b"%b %b" % (text, repr(types).encode()), digest_size=12).hexdigest().encode()
            plans[text] = name, types
            yield _Message(partial(self.pgconn.send_prepare, name, text, types), (text, name, types))
        yield _Message(partial(self.pgconn.send_query_prepared, name, dumped, formats))

    def _exchange(self, messages: list[_Message]) -> list[Result]:
        try:
            if len(messages) == 1:
                messages[0].send()
                return self.wait(generators.execute(self.pgconn))
            return self.wait(self._run_pipeline([message.send for message in messages]))
        except BaseException:  # results of this exchange may still arrive, and would be taken for those of the next
            self.close()
            raise

    def _run_pipeline(self, sends: list[Send]) -> PQGen[list[Result]]:
        self.pgconn.enter_pipeline_mode()
        for send in sends:
            send()
        self.pgconn.pipeline_sync()
        yield from generators.send(self.pgconn)
        results: list[Result] = []
        for _ in sends:
            results += yield from generators.fetch_many(self.pgconn)
        yield from generators.fetch_many(self.pgconn)  # of the sync
        self.pgconn.exit_pipeline_mode()
        return results

    def _error(self, result: Result) -> psycopg.Error:
        error = psycopg.errors.error_from_result(result)
        # After FATAL the server closes the connection. "Not supported": a plan no longer fits its altered table.
        if error.diag.severity_nonlocalized == "FATAL" or isinstance(error, psycopg.NotSupportedError):
            self.close()
            return psycopg.OperationalError(str(error))
        return error


def _has_long_list(values: Values) -> bool:
    return any(type(value) is list and len(value) >= _LONG_LIST for value in values)
