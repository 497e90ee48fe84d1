"""Runs the process that opens an untrusted SQLite file, and yields its rows by column name."""

import json
import subprocess  # nosec
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...findings import Unreadable

SQLITE_BYTES_MAX = 256 * 2**20
ANSWER_BYTES_MAX = 512 * 2**20
LINE_BYTES_MAX = 16 * 2**20
WALL_SECONDS_MAX = 180
_MAGIC = b"SQLite format 3\0"
_CHILD = "farthing.moving.programs.untrusted_sqlite.child"

Row = dict[str, Any]


def is_sqlite(head: bytes) -> bool:
    return head.startswith(_MAGIC)


def read_tables(
    content: bytes, name: str, columns_by_table: Mapping[str, Sequence[str]], seconds_max: float = WALL_SECONDS_MAX
) -> Iterator[tuple[str, Row]]:
    """Yields rows of the requested tables, table after table; missing tables and columns are skipped. The rows of every
    existing table are preceded by an empty row, to distinguish it from a missing table.
    """
    if not is_sqlite(content):
        raise Unreadable(f"{name} is not a SQLite file.")
    if len(content) > SQLITE_BYTES_MAX:
        raise Unreadable(f"{name} has more than {SQLITE_BYTES_MAX >> 20} MiB, the most that is read.")
    with TemporaryDirectory(prefix="farthing-import-") as folder:
        path = Path(folder) / "books.sqlite"
        path.write_bytes(content)
        yield from _ask(path, name, columns_by_table, seconds_max)


def _ask(
    path: Path, name: str, columns_by_table: Mapping[str, Sequence[str]], seconds_max: float
) -> Iterator[tuple[str, Row]]:
    command = [sys.executable, "-I", "-m", _CHILD, str(path)]
    process = subprocess.Popen(  # noqa: S603 - our own module, with a path of our own
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=path.parent, env={}
    )
    timer = threading.Timer(seconds_max, process.kill)
    timer.start()
    try:
        assert process.stdin
        tables = {table: list(columns) for table, columns in columns_by_table.items()}
        process.stdin.write(json.dumps({"tables": tables}).encode())
        process.stdin.close()
        yield from _rows(process, name)
    except BrokenPipeError as error:
        raise _damaged(name, "reading it took too much time or memory") from error
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def _rows(process: "subprocess.Popen[bytes]", name: str) -> Iterator[tuple[str, Row]]:
    assert process.stdout
    table, columns, left = "", [""], ANSWER_BYTES_MAX
    while line := process.stdout.readline(LINE_BYTES_MAX):
        left -= len(line)
        if left < 0 or not line.endswith(b"\n"):
            raise _damaged(name, "it holds too much")
        line_values = json.loads(line)
        if isinstance(line_values, dict):
            if "error" in line_values:
                raise _damaged(name, str(line_values["error"]))
            return
        if line_values and line_values[0] == "table":
            table, columns = line_values[1], line_values[2:]
            yield table, {}
        else:
            yield table, dict(zip(columns, line_values[1:], strict=True))
    raise _damaged(name, "reading it took too much time or memory")


def _damaged(name: str, why: str) -> Unreadable:
    return Unreadable(f"{name} is not a SQLite file that can be read: {why}.")
