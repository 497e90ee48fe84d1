"""`python -m farthing.moving.programs.untrusted_sqlite.child FILE`: reads named columns of plain tables, as JSON lines.

It runs in a separate process because opening an untrusted SQLite file runs what its schema says. The request is read
from standard input: `{"tables": {name: [column, …]}}`. The response has a line `["table", name, column, …]` for each
existing table, a line `["row", value, …]` for each of its rows, and finally `{"end": true}` or `{"error": "why"}`.
"""

import json
import resource
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote

import apsw

MEMORY_BYTES_MAX = 1024 * 2**20
CPU_SECONDS_MAX = 120
ROWS_MAX = 1_000_000
VALUE_BYTES_MAX = 2**20
STEPS_PER_CHECK = 1_000_000
CHECKS_MAX = 5_000
# Views and triggers are never run, but are parsed with the schema, so the limits must allow their usual size.
_LIMITS = {
    apsw.SQLITE_LIMIT_LENGTH: VALUE_BYTES_MAX,
    apsw.SQLITE_LIMIT_SQL_LENGTH: 200_000,
    apsw.SQLITE_LIMIT_COLUMN: 1_000,
    apsw.SQLITE_LIMIT_EXPR_DEPTH: 100,
    apsw.SQLITE_LIMIT_COMPOUND_SELECT: 50,
    apsw.SQLITE_LIMIT_VDBE_OP: 25_000,
    apsw.SQLITE_LIMIT_FUNCTION_ARG: 50,
    apsw.SQLITE_LIMIT_ATTACHED: 0,
    apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 50,
    apsw.SQLITE_LIMIT_VARIABLE_NUMBER: 100,
    apsw.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    apsw.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_SWITCHES = (
    (apsw.SQLITE_DBCONFIG_DEFENSIVE, 1),
    (apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
    (apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
    (apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    (apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
)


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS_MAX, CPU_SECONDS_MAX))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    question = json.loads(sys.stdin.readline())
    try:
        _answer(Path(sys.argv[1]), question["tables"], sys.stdout)
    except (apsw.Error, UnicodeDecodeError, MemoryError, _TooMuch) as error:
        message = str(error) if isinstance(error, _TooMuch) else type(error).__name__
        print(json.dumps({"error": message}), flush=True)  # noqa: T201
    else:
        print(json.dumps({"end": True}), flush=True)  # noqa: T201


class _TooMuch(Exception):
    pass


def _answer(path: Path, columns_by_table: dict[str, list[str]], out: TextIO) -> None:
    connection = _open(path)
    names = {
        name
        for name, root, sql in connection.execute("SELECT name, rootpage, sql FROM sqlite_master WHERE type = 'table'")
        if isinstance(root, int) and root > 0 and isinstance(sql, str)
    }
    rows = 0
    for table, columns in columns_by_table.items():
        if table in names:
            # Generated columns are excluded, because expressions in the file compute their values.
            described: Iterable[Any] = connection.execute(f"PRAGMA table_xinfo({_quoted(table)})")
            plain = {name for _, name, _, _, _, _, hidden in described if hidden == 0}
            present = [column for column in columns if column in plain]
            out.write(json.dumps(["table", table, *present]) + "\n")
            rows += _write_rows(connection, table, present, ROWS_MAX - rows, out)


def _open(path: Path) -> apsw.Connection:
    uri = f"file:{quote(str(path))}?mode=ro&immutable=1"
    connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    for limit, value in _LIMITS.items():
        connection.limit(limit, value)
    for switch, value in _SWITCHES:
        connection.config(switch, value)
    connection.execute("PRAGMA cell_size_check = 1")
    connection.execute("PRAGMA mmap_size = 0")
    checks = iter(range(CHECKS_MAX))
    connection.set_progress_handler(lambda: next(checks, None) is None, STEPS_PER_CHECK)
    connection.authorizer = _authorize
    return connection


def _authorize(action: int, first: Any, _second: Any, _database: Any, trigger: Any) -> int:
    """Allows only reading, and only if no view or trigger asks for it."""
    reads = action in (apsw.SQLITE_SELECT, apsw.SQLITE_READ)
    asks = action == apsw.SQLITE_PRAGMA and first == "table_xinfo"
    return apsw.SQLITE_OK if (reads or asks) and trigger is None else apsw.SQLITE_DENY


def _write_rows(connection: apsw.Connection, table: str, columns: list[str], rows_max: int, out: TextIO) -> int:
    if not columns:
        return 0
    number = 0
    names = ", ".join(map(_quoted, columns))
    for row in connection.execute(f"SELECT {names} FROM {_quoted(table)} NOT INDEXED"):
        number += 1
        if number > rows_max:
            raise _TooMuch(f"it has more than {ROWS_MAX} rows")
        out.write(json.dumps(["row", *(None if isinstance(value, bytes) else value for value in row)]) + "\n")
    return number


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


if __name__ == "__main__":
    main()
