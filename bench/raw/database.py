"""Gives the floor a database: the driver itself, with as little around it as possible."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Protocol

from farthing.storage.drivers.postgres.connection import find_set_insert

Row = tuple[Any, ...]
_NAME = re.compile(r"(?<![:\w]):([a-z_]+)")


class Raw(Protocol):
    sqlite: bool
    connection: Any

    def rows(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]: ...
    def run(self, sql: str, parameters: Mapping[str, Any]) -> None: ...
    def many(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> None: ...
    def many_returning(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> list[Row]: ...
    def begin(self, *, writing: bool = False) -> None: ...
    def commit(self) -> None: ...


_SETTINGS = (
    "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "cache_size = -8192", "wal_autocheckpoint = 4000",
)  # fmt: skip


class RawSqlite:
    sqlite = True

    def __init__(self, path: str) -> None:
        import apsw

        self.connection = apsw.Connection(path, statementcachesize=512)
        self.connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        self._execute = self.connection.execute
        self.many = self.connection.executemany
        # The same durability as Farthing's; a less durable floor would be no floor.
        for setting in _SETTINGS:
            self._execute(f"PRAGMA {setting}").fetchall()
        self.connection.set_busy_timeout(10_000)

    def rows(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
        return self._execute(sql, parameters).fetchall()

    def run(self, sql: str, parameters: Mapping[str, Any]) -> None:
        self._execute(sql, parameters)

    def many_returning(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> list[Row]:
        found: list[Row] = self.many(sql, rows).fetchall()
        return found

    def begin(self, *, writing: bool = False) -> None:
        self._execute("BEGIN IMMEDIATE" if writing else "BEGIN")

    def commit(self) -> None:
        self._execute("COMMIT")


class RawPostgres:
    sqlite = False

    def __init__(self, url: str) -> None:
        import psycopg

        self.connection = psycopg.connect(url, autocommit=True)
        self.connection.execute("SET plan_cache_mode = force_generic_plan")
        self._execute: Any = self.connection.execute

    def rows(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
        found: list[Row] = self._execute(_for_postgres(sql), parameters).fetchall()
        return found

    def run(self, sql: str, parameters: Mapping[str, Any]) -> None:
        self._execute(_for_postgres(sql), parameters)

    def many(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """In one statement where the driver of Farthing does so, or the floor would be higher than what stands on it."""
        listed = list(rows)
        insert = find_set_insert(sql)
        if insert and listed and (written := insert.write(listed)):
            self._execute(_for_postgres(insert.sql), {"rows": written})
            return
        with self.connection.cursor() as cursor:
            cursor.executemany(_for_postgres(sql), listed)

    def many_returning(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> list[Row]:
        with self.connection.cursor() as cursor:
            cursor.executemany(_for_postgres(sql), rows, returning=True)
            return [one for result in cursor.results() for one in result.fetchall()]

    def begin(self, *, writing: bool = False) -> None:
        self._execute("BEGIN" if writing else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def commit(self) -> None:
        self._execute("COMMIT")


@cache
def _for_postgres(sql: str) -> Any:
    return _NAME.sub(r"%(\1)s", sql)


def connect(url: str) -> Raw:
    if url.startswith("sqlite:///"):
        return RawSqlite(url.removeprefix("sqlite:///"))
    return RawPostgres(url)
