"""Untrusted SQLite files: only plain columns of plain tables are read, and never in this process."""

import random
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from farthing.moving.findings import Unreadable
from farthing.moving.programs.untrusted_sqlite.rows import read_tables

from ...length import examples

WANTED = {"accounts": ("id", "name"), "t": ("a",)}


def database(path: Path, script: str) -> bytes:
    db = sqlite3.connect(path / "x.sqlite")
    db.executescript(script)
    db.close()
    return (path / "x.sqlite").read_bytes()


def rows(content: bytes) -> list[tuple[str, dict[str, object]]]:
    return list(read_tables(content, "x.sqlite", WANTED))


PLAIN = "CREATE TABLE accounts (id, name); INSERT INTO accounts VALUES (1, 'a');"


def test_named_columns_of_tables_are_read(tmp_path: Path) -> None:
    content = database(tmp_path, PLAIN)

    assert rows(content) == [("accounts", {}), ("accounts", {"id": 1, "name": "a"})]


@pytest.mark.parametrize(
    "script",
    [
        "CREATE VIEW accounts AS SELECT 1 AS id, 'evil' AS name",
        "CREATE VIEW accounts AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id FROM c) SELECT id FROM c",
        "CREATE VIRTUAL TABLE accounts USING fts5(id, name)",
    ],
)
def test_a_view_or_a_virtual_table_is_no_table(script: str, tmp_path: Path) -> None:
    assert rows(database(tmp_path, script)) == []


def test_a_computed_column_is_left_out(tmp_path: Path) -> None:
    script = "CREATE TABLE accounts (id, name AS (hex(zeroblob(1000000)))); INSERT INTO accounts VALUES (1)"

    assert rows(database(tmp_path, script)) == [("accounts", {}), ("accounts", {"id": 1})]


def test_a_schema_that_was_tampered_with_is_refused(tmp_path: Path) -> None:
    script = f"""{PLAIN} CREATE TABLE t (a); PRAGMA writable_schema = 1;
    UPDATE sqlite_master SET sql = 'CREATE TABLE t (a CHECK (load_extension(''x'')))' WHERE name = 't';"""

    try:
        found = rows(database(tmp_path, script))
    except Unreadable:
        return
    assert found[0] == ("accounts", {})


def test_too_long_a_time_is_refused(tmp_path: Path) -> None:
    content = database(tmp_path, PLAIN)

    with pytest.raises(Unreadable, match="too much time"):
        list(read_tables(content, "x.sqlite", WANTED, seconds_max=0.001))


def test_huge_values_are_refused(tmp_path: Path) -> None:
    content = database(
        tmp_path, "CREATE TABLE accounts (id, name); INSERT INTO accounts VALUES (1, hex(zeroblob(3000000)))"
    )

    with pytest.raises(Unreadable, match="TooBig"):
        rows(content)


def test_damaged_pages_end_in_a_sentence_or_in_rows(tmp_path: Path) -> None:
    script = PLAIN + "CREATE TABLE t (a);" + "INSERT INTO t VALUES (hex(zeroblob(300)));" * 60
    content = database(tmp_path, script)
    draw = random.Random(5)
    for _ in range(examples(120)):
        broken = bytearray(content)
        for _ in range(draw.randint(1, 40)):
            broken[draw.randrange(16, len(broken))] = draw.randrange(256)
        if draw.random() < 0.3:
            del broken[draw.randrange(100, len(broken)) :]
        with suppress(Unreadable):
            rows(bytes(broken))
