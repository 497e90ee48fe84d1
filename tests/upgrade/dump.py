"""Writes the household's rows down as plain INSERT statements, in a file named after the newest migration.

    python -m tests.upgrade.dump

Run it once for each released schema; a dump of a released schema is never written again. The oldest, the widest and
the newest dump stay, and the others are deleted. The statements load on both databases, and test_upgrade.py checks
that every later version carries them forward.
"""

import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from farthing.storage import migrations
from farthing.storage.schema import TABLES
from farthing.storage.unit import Database, Unit

from ..conftest import running
from .household import moved_in

FOLDER = Path(__file__).parent
# What is not built in.
_OWN = {"currencies": "WHERE custom = 1", "link_types": "WHERE user_id IS NOT NULL"}
BEGINNING = re.compile(r"^INSERT INTO (\w+) \((.+?)\) VALUES ", re.MULTILINE)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/household.sqlite3"
        with contextmanager(running)(url, Path(folder), _unchecked) as world:
            moved_in(world)
            lines = list(dumped(world.books))
    name = migrations.known()[-1]
    (FOLDER / f"{name}.sql").write_text("\n".join([f"-- A household as {name} keeps it.", *lines, ""]))
    sys.stdout.write(f"{name}.sql has {len(lines)} rows\n")
    unused = [table for table in TABLES if not any(line.startswith(f"INSERT INTO {table} ") for line in lines)]
    sys.stdout.write(f"without rows: {', '.join(unused)}\n")
    for dump in find_superseded(list_dumps()):
        dump.unlink()
        sys.stdout.write(f"{dump.name} is deleted\n")
    return 0


def list_dumps() -> list[Path]:
    """Returns the files, oldest first."""
    return sorted(FOLDER.glob("*.sql"))


def find_superseded(dumps: Sequence[Path]) -> list[Path]:
    """Returns all but the oldest, the newest, and the one between them with rows in the most tables."""
    between = dumps[1:-1]
    widest = max(between, key=lambda dump: len(set(BEGINNING.findall(dump.read_text()))), default=None)
    return [dump for dump in between if dump != widest]


def _unchecked(_method: str, _path: str, _response: object) -> None:
    """Answers are held against their description by other tests."""


def dumped(books: Database) -> Iterator[str]:
    with books.reading() as db:
        for table, columns in TABLES.items():
            if table not in ("migrations", "house", "lineage"):  # they come with the migrations
                yield from rows_of(db, table, columns)


def rows_of(db: Unit, table: str, columns: Iterable[str]) -> Iterator[str]:
    """One statement for each row; what is built in comes with the migrations."""
    names = ", ".join(columns)
    condition = _OWN.get(table, "")
    for row in db.all(f"SELECT {names} FROM {table} {condition} ORDER BY {_order(table)}"):
        yield f"INSERT INTO {table} ({names}) VALUES ({', '.join(map(_literal, row))});"


def _order(table: str) -> str:
    if table == "categories":  # parents first
        return "CASE WHEN parent_id IS NULL THEN 0 ELSE 1 END, id"
    return "id" if "id" in TABLES[table] else ", ".join(TABLES[table])


def _literal(value: object) -> str:
    if value is None or isinstance(value, int):
        return "NULL" if value is None else str(value)
    text = str(value).replace("'", "''")
    return f"'{text}'"


if __name__ == "__main__":
    sys.exit(main())
