"""A backup may come from anybody: whatever is in it, there is one clear sentence, and never much memory."""

import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.care.backup import manifest as wording
from farthing.care.backup import restore
from farthing.kernel.errors import FarthingError, Unusable
from farthing.storage.drivers.sqlite import SqliteDatabase

from ..cli.conftest import Terminal, settle

Members = dict[str, bytes]
FAR = 4e9
HASH = "0" * 64
CONTENT = f"attachments/1/{HASH}"


@cache
def whole() -> bytes:
    with TemporaryDirectory() as folder:
        settle(Terminal(Path(folder))).says("backup", "all.zip")
        return (Path(folder) / "all.zip").read_bytes()


def write(path: Path, change: Callable[[Members, dict[str, Any]], object]) -> Path:
    """With its manifest and its other members changed; hashes and sizes are those of what is in it."""
    path.write_bytes(whole())
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(members.pop(wording.MANIFEST))
    change(members, manifest)
    members = {wording.MANIFEST: json.dumps(manifest).encode()} | members
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def with_database(members: Members, manifest: dict[str, Any], *statements: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "other.sqlite3"
        path.write_bytes(members[wording.DATABASE])
        connection = apsw.Connection(str(path))
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        for statement in statements:
            connection.execute(statement).fetchall()
        connection.close()
        content = path.read_bytes()
    members[wording.DATABASE] = content
    manifest["files"][wording.DATABASE] = {"sha256": sha256(content).hexdigest(), "size": len(content)}


def put(*path: str, value: Any) -> Callable[[Members, dict[str, Any]], None]:
    def change(_members: Members, manifest: dict[str, Any]) -> None:
        at = manifest
        for name in path[:-1]:
            at = at[name]
        at[path[-1]] = value

    return change


def sql(*statements: str) -> Callable[[Members, dict[str, Any]], None]:
    return lambda members, manifest: with_database(members, manifest, *statements)


STRANGE = {
    "a path that leaves": put("files", "attachments/1/../../../../etc/passwd", value={"sha256": HASH, "size": 1}),
    "an absolute path": put("files", "/etc/passwd", value={"sha256": HASH, "size": 1}),
    "a user who is none": put("files", f"attachments/x/{HASH}", value={"sha256": HASH, "size": 1}),
    "an id without end": put("files", f"attachments/{'9' * 5000}/{HASH}", value={"sha256": HASH, "size": 1}),
    "a content that is not there": put("files", CONTENT, value={"sha256": HASH, "size": 1}),
    "a negative size": put("files", wording.DATABASE, "size", value=-1),
    "another size": put("files", wording.DATABASE, "size", value=10**12),
    "no database": lambda _members, manifest: manifest["files"].pop(wording.DATABASE),
    "a hash that is none": put("files", wording.SETTINGS, "sha256", value="x"),
    "negative rows": put("tables", "users", "rows", value=-5),
    "a list for a table": put("tables", value=[]),
    "nothing for a migration": put("migration", value=None),
    "another migration": put("migration", value="0000_other"),
    "control characters": put("made_at", value="\x1b[2J"),
    "a format before the first": put("format", value=0),
    "a missing content that is none": put("missing", value=["../../x"]),
    "a number without end": put("format", value=10**400),
    "lists in lists": lambda members, _manifest: members.update({wording.MANIFEST: b"[" * 200_000}),
    "no manifest": lambda members, _manifest: members.update({wording.MANIFEST: b""}),
    "an empty database": lambda members, manifest: members.update({wording.DATABASE: b""}) or manifest["files"].update(
        {wording.DATABASE: {"sha256": sha256(b"").hexdigest(), "size": 0}}
    ),
    "no tables": sql("DROP TABLE users"),
    "another column": sql('ALTER TABLE users ADD COLUMN "x) SELECT 1 --" TEXT'),
    "a view for a table": sql("DROP TABLE sessions", "CREATE VIEW sessions AS SELECT 1 AS id"),
    "migrations of others": sql("INSERT INTO migrations (name) VALUES ('0003_of_others')"),
    "rows that nothing refers to": sql(
        "PRAGMA foreign_keys = OFF", "INSERT INTO tags (user_id, name, name_fold, created_at, updated_at)"
        " VALUES (99, 'x', 'x', 'x', 'x')"
    ),
    "a constraint that was taken away": sql(
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, 'UNIQUE (user_id, name)', 'CHECK (1)') WHERE name = 'preferences'",
    ),
    "an index that lacks a row": sql(
        "CREATE TABLE x (a)",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'x')"
        " WHERE name = 'accounts_by_name'",
        "DELETE FROM sqlite_schema WHERE name = 'x'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("change", STRANGE.values(), ids=STRANGE.keys())
def test_a_strange_backup_is_refused_in_one_sentence_and_leaves_nothing(tmp_path, change):
    terminal = Terminal(tmp_path)
    file = write(tmp_path / "strange.zip", change)

    for words in (["backup", "verify"], ["restore"]):
        assert len(terminal.fails(*words, str(file))) < 1000
    assert list((tmp_path / "data").glob("attachments/*/*")) == []


@pytest.mark.parametrize("bit", [0x1, 0x40, 0x2000])
def test_a_backup_that_is_encrypted_in_any_way_is_refused(tmp_path, bit):
    content = bytearray(whole())
    struct.pack_into("<H", content, content.rindex(b"PK\x01\x02") + 8, bit)

    assert "it is encrypted" in refused(tmp_path / "strange.zip", content)


def test_a_backup_whose_list_of_contents_is_too_long_is_refused_before_it_is_read(tmp_path):
    content = bytearray(whole())
    struct.pack_into("<I", content, content.rindex(b"PK\x05\x06") + 12, 2**30)

    assert "it holds too many files" in refused(tmp_path / "strange.zip", content)


def test_what_looks_like_the_end_of_an_archive_inside_of_a_backup_is_none(tmp_path):
    """Whoever uploads such a file must not make the backup unusable."""
    file = write(tmp_path / "all.zip", lambda _members, _manifest: None)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("other", b"PK\x05\x06" + b"\xfe" * 40)

    assert list(restore.verify(file, FAR, lambda _step: None)) == []


def refused(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(Unusable) as caught:
        list(restore.verify(path, FAR, lambda _step: None))
    return str(caught.value)


def test_what_was_added_to_the_schema_does_not_come_along(tmp_path):
    """The rows are written anew, because the file was not made by our statements alone."""
    trigger = "CREATE TRIGGER grow AFTER INSERT ON tags BEGIN DELETE FROM users; END"
    index = "CREATE INDEX users_by_role ON users (role)"
    file = write(tmp_path / "strange.zip", sql(trigger, index))
    terminal = Terminal(tmp_path)

    terminal.says("restore", str(file))

    with closing(apsw.Connection(str(tmp_path / "data" / "farthing.sqlite3"))) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        assert not {"grow", "users_by_role"} & names
        assert connection.execute("SELECT COUNT(*) FROM users").get == 1


def test_sessions_in_a_backup_of_a_stranger_are_not_restored(tmp_path):
    session = "INSERT INTO sign_in_attempts (key, tries, since) VALUES ('x', 1, 'x')"
    file = write(tmp_path / "strange.zip", sql(session))
    terminal = Terminal(tmp_path)

    terminal.says("restore", str(file))

    with closing(apsw.Connection(str(tmp_path / "data" / "farthing.sqlite3"))) as connection:
        assert connection.execute("SELECT COUNT(*) FROM sign_in_attempts").get == 0


@pytest.mark.parametrize("is_trusted", [True, False])
def test_triggers_of_a_stranger_do_not_run(tmp_path, is_trusted):
    with closing(SqliteDatabase(tmp_path / "strange.sqlite3")) as books:
        with books.writing() as db:
            db.script("CREATE TABLE things (id INTEGER)")
            db.script("CREATE TRIGGER grow AFTER INSERT ON things BEGIN INSERT INTO things VALUES (new.id + 1); END")
        if not is_trusted:
            books.distrust()

        with books.writing() as db:
            db.run("INSERT INTO things VALUES (1)")
            assert db.value("SELECT COUNT(*) FROM things") == (2 if is_trusted else 1)


@pytest.mark.parametrize("what", ["missing", "balances", "twice"])
def test_a_manifest_that_unpacks_to_much_takes_little_memory(tmp_path, what):
    """As small as the one that took 1.2 GB."""
    file = tmp_path / "bomb.zip"
    entries = b",".join(b'"%d":1' % number for number in range(1_000_000))
    member = b'{"format":1,"%s":{%s}}' % (what.encode(), entries) if what != "missing" else b"[" + b'"",' * 5_000_000
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(wording.MANIFEST, member)
        if what == "twice":
            with pytest.warns(UserWarning, match="Duplicate"):
                archive.writestr(wording.MANIFEST, b"{}")
    del member, entries

    tracemalloc.start()
    try:
        with pytest.raises(FarthingError):
            list(restore.verify(file, FAR, lambda _step: None))
        assert tracemalloc.get_traced_memory()[1] < 64 * 1024**2
    finally:
        tracemalloc.stop()


@settings(max_examples=25)
@given(st.data())
def test_any_damage_is_refused_or_harmless(data):
    content = bytearray(whole())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    del content[data.draw(st.integers(len(content) // 2, len(content))) :]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.zip"
        path.write_bytes(content)
        with suppress(FarthingError):
            restore.refuse_unusable(path, lambda _step: None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ["format", "version", "migration", "made_at", "tables", "balances", "files", "missing"]


@settings(max_examples=25)
@given(st.dictionaries(st.sampled_from(FIELDS), JSON, min_size=1))
def test_any_manifest_is_refused_or_harmless(changes):
    with TemporaryDirectory() as folder:
        file = write(Path(folder) / "strange.zip", lambda _members, manifest: manifest.update(changes))
        with suppress(FarthingError):
            restore.refuse_unusable(file, lambda _step: None)
