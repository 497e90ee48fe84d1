"""Sends statements to PostgreSQL and returns their results. A connection serves one unit of work at a time."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from hashlib import blake2b
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import msgspec
import psycopg
from msgspec import Struct
from psycopg import generators, pq
from psycopg.abc import PQGen
from psycopg.adapt import PyFormat, Transformer
from psycopg.types.numeric import Int8Dumper

from farthing.kernel.errors import DiskFull, Locked, ReadOnly, Unavailable

from ...fair.leash import Leash
from ...rows.reader import StructReader
from ...unit import Clash, Overflow, Row, Rows, for_postgres
from . import fibers

T = TypeVar("T")
Result = pq.abc.PGresult
Send = Callable[[], None]
Types = tuple[int, ...]
Values = Sequence[Any]
# For each statement, the name of its plan and the types of its parameters. A type is 0 if all values were NULL so far.
Plans = dict[bytes, tuple[bytes, Types]]
# The text and its values; a statement without values is never prepared.
Statement = tuple[bytes, Values | None]

COMMIT = b"COMMIT"
_CANCEL_S = 2.0
# About twice the number of statements in the program.
_PLANS_MAX = 800
# A statement with a list of at least this length gets a new plan each time, to fit the current size of the tables: the
# same unit may have filled them, and a plan for empty tables would compare each of a thousand rows with every other.
_LONG_LIST = 100
_DONE = (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK)
_FORMATS = [PyFormat.AUTO]


class _Message(NamedTuple):
    """Holds a function that sends a message.

    For a message that prepares a statement, `plan` holds the statement, the name of its plan, and its parameter types.
    """

    send: Send
    plan: tuple[bytes, bytes, Types] | None = None


class PostgresConnection(psycopg.Connection[Row]):
    """Extends psycopg's connection. When a fiber uses it, waiting does not block the event loop.

    Statements bypass psycopg's cursors, which would take two to three times the processor time. Values, rows and errors
    are converted by psycopg.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        # Every whole number is sent as 64 bits: otherwise each size of number would need a plan of its own.
        self.adapters.register_dumper(int, Int8Dumper)
        self.can_prepare = True
        self._transformer = Transformer(self)
        self._plans: Plans = {}
        self._watch: fibers.Watch | None = None
        # Set by the pool. Raises if the database is not alive. The argument is the time at which waiting began.
        self.check: Callable[[float], None] = lambda _since: None
        self._since = 0.0
        # The leash of the unit of work that uses the connection, if that unit may be interrupted.
        self.leash: Leash | None = None
        self._begin: bytes | None = None
        # Which statement of the last batch has failed.
        self.failed_at = 0
        # Whether COMMIT was sent and its result has not been received yet.
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
        except (
            Locked
        ):  # otherwise the server would continue, and hold its locks, until it notices the closed connection
            self._cancel()
            raise

    def _cancel(self) -> None:
        """Cancels the running statement, which then fails. The connection stays usable."""
        with suppress(psycopg.Error):
            fibers.run_in_thread(partial(self.cancel_safe, timeout=_CANCEL_S))

    def _check_at_times(self, gen: PQGen[T]) -> PQGen[T]:
        """Checks the database now and then while a thread waits: psycopg reports regularly that nothing has arrived."""
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
        except psycopg.OperationalError:  # the connection is lost, which its next user will notice
            self.unwatch()

    def unwatch(self) -> None:
        """Unregisters the connection from the event loop. Call this before another loop or a thread uses it."""
        if self._watch:
            self._watch.end()
            self._watch = None

    def close(self) -> None:
        self.unwatch()
        super().close()

    def begin(self, words: bytes) -> None:
        """Schedules BEGIN to be sent together with the first statement, which saves a round trip."""
        self._begin = words

    def end_reads(self) -> None:
        """Sends COMMIT, but receives its result only when the connection is used next, because reads do not need it."""
        with suppress(psycopg.Error):
            self.pgconn.send_query_params(COMMIT, None)
            self.pgconn.flush()
            self._is_ending = True

    def settle(self) -> None:
        """Receives the result of the last COMMIT if it is outstanding, so that psycopg can use the connection."""
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
        """Runs statements in order, and returns their results.

        All statements are sent together, because waiting for each answer would take longer than the work itself. If a
        statement fails, the ones after it do not run, and `failed_at` is its index.
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
        """Yields the messages to send for a statement. Adds the plan that it prepares, if any, to `plans`."""
        if values is None:
            yield _Message(partial(self.pgconn.send_query_params, text, None))
            return
        dumped = self._transformer.dump_sequence(values, _FORMATS * len(values))
        types, formats = self._transformer.types or (), self._transformer.formats
        name, old_types = plans.get(text) or self._plans.get(text, (b"", types))
        if not self.can_prepare or _has_long_list(values) or (not name and len(self._plans) >= _PLANS_MAX):
            yield _Message(partial(self.pgconn.send_query_params, text, dumped, types, formats))
            return
        # A parameter that was always NULL has no type in the plan. Its first value reveals the type, for a new plan.
        if not name or (types != old_types and any(new and not old for new, old in zip(types, old_types, strict=True))):
            types = tuple(new or old for new, old in zip(types, old_types, strict=True))
            # The name is a hash of the statement: behind a pooler, names must not clash with those of other clients.
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
        yield from generators.fetch_many(self.pgconn)  # the result of the sync
        self.pgconn.exit_pipeline_mode()
        return results

    def _error(self, result: Result) -> psycopg.Error:
        error = psycopg.errors.error_from_result(result)
        # After FATAL, the server closes the connection. "Not supported": a table was altered and a plan no longer fits.
        if error.diag.severity_nonlocalized == "FATAL" or isinstance(error, psycopg.NotSupportedError):
            self.close()
            return psycopg.OperationalError(str(error))
        return error


def _has_long_list(values: Values) -> bool:
    return any(type(value) is list and len(value) >= _LONG_LIST for value in values)


def translate(error: psycopg.Error) -> Exception:
    """Converts an error of psycopg into one of our own. Returns an unexpected error, which is a bug, unchanged."""
    match error:
        case psycopg.errors.NumericValueOutOfRange():
            return Overflow(str(error))
        case psycopg.IntegrityError():
            return Clash(str(error))
        case psycopg.errors.DiskFull():
            return DiskFull(f"There is no room on the disk of the database: {error}".splitlines()[0])
        case psycopg.errors.ReadOnlySqlTransaction():
            return ReadOnly(f"The database accepts no writes: {error}".splitlines()[0])
        case psycopg.errors.LockNotAvailable() | psycopg.errors.DeadlockDetected():
            return Locked(f"Another program holds a lock in the database: {error}".splitlines()[0])
        case psycopg.errors.InvalidSqlStatementName() | psycopg.errors.DuplicatePreparedStatement():
            hint = "A connection pooler that mixes up prepared statements needs FARTHING_DATABASE_PREPARE=off"
            return Unavailable(f"{hint}: {error}".splitlines()[0])
        case psycopg.OperationalError():
            return Unavailable(f"The database cannot be reached just now: {error}".splitlines()[0])
    return error


@lru_cache(maxsize=1024)
def _statement(sql: str) -> tuple[bytes, tuple[str, ...]]:
    text, names = for_postgres(sql)
    return text.encode(), names


def bind(sql: str, parameters: Mapping[str, Any]) -> Statement:
    text, names = _statement(sql)
    return text, [parameters[name] for name in names]


def bind_each(sql: str, rows: Rows) -> Iterator[Statement]:
    text, names = _statement(sql)
    for row in rows:
        yield text, row if isinstance(row, tuple) else [row[name] for name in names]


class QueuedStatement(Struct, frozen=True):
    """Holds a statement that has not been sent yet, and how to handle its answer or its failure."""

    statement: Statement
    on_overflow: Exception | None = None
    then: Callable[[list[Any]], None] | None = None
    reader: StructReader[Any] | None = None


_INSERT = re.compile(
    r"\s*INSERT INTO (?P<table>\w+) \((?P<columns>[^()]+)\)\s+VALUES \((?P<values>[^()]+)\)(?P<rest>[^:]*)", re.DOTALL
)
_KEY = re.compile(r"\s*ON CONFLICT \(([^()]+)\)\s+DO UPDATE")
_encode = msgspec.json.Encoder().encode


class SetInsert(msgspec.Struct, frozen=True):
    """Inserts many rows with one statement, which receives them as JSON.

    `names` are the parameters of the original single-row statement. `columns` maps each column to the index of its
    parameter, and `key` lists the indexes of the parameters that identify a row. PostgreSQL takes the types from the
    table. Passing an array for each column (`unnest`) would take half as long again.
    """

    sql: str
    names: tuple[str, ...]
    columns: tuple[tuple[str, int], ...]
    key: tuple[int, ...]

    def write(self, rows: Rows) -> str | None:
        """Returns the rows as JSON, or None if they cannot be inserted together.

        This is impossible if a number exceeds 64 bits, or if a row occurs twice: a statement cannot update a row twice.
        """
        listed = [row if isinstance(row, tuple) else tuple(row[name] for name in self.names) for row in rows]
        if self.key and len({tuple(row[index] for index in self.key) for row in listed}) < len(listed):
            return None
        with suppress(OverflowError):
            return _encode([{column: row[index] for column, index in self.columns} for row in listed]).decode()
        return None


@lru_cache(maxsize=1024)
def find_set_insert(sql: str) -> SetInsert | None:
    """Returns the multi-row form of a plain INSERT. Returns None for other statements, and for INSERT … RETURNING."""
    insert = _INSERT.fullmatch(sql)
    if not insert or "RETURNING" in insert["rest"]:
        return None
    values = dict(zip(_split(insert["columns"]), _split(insert["values"]), strict=True))
    if any(":" in value[1:] for value in values.values()):
        return None
    named = {column: value[1:] for column, value in values.items() if value.startswith(":")}
    names = tuple(dict.fromkeys(named.values()))
    places = {column: names.index(name) for column, name in named.items()}
    conflict = _KEY.match(insert["rest"])
    chosen = ", ".join(column if column in named else value for column, value in values.items())
    return SetInsert(
        sql=f"INSERT INTO {insert['table']} ({', '.join(values)})"
        f" SELECT {chosen} FROM json_populate_recordset(NULL::{insert['table']}, :rows) AS given {insert['rest']}",
        names=names,
        columns=tuple(places.items()),
        key=tuple(places[column] for column in _split(conflict[1]) if column in places) if conflict else (),
    )


def _split(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",")]
