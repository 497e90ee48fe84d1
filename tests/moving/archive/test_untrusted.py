"""An archive may come from anybody: what is not right is refused with a sentence, and nothing is stored."""

import io
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any
from zipfile import ZIP_LZMA

import pytest

from farthing.kernel.errors import Conflict
from farthing.moving.archive import manifest
from farthing.moving.archive.fields import FieldType
from farthing.moving.archive.layout import BY_NAME, KINDS
from farthing.moving.findings import Unreadable
from farthing.storage.blobs import DiskBlobs
from farthing.storage.schema import TABLES

from ...builders import AT, Books, somebodys_books
from .loading import load_archive
from .making import Members, archive, packed

__all__ = ["archive"]


def refused(books: Books, content: bytes, tmp_path: Any) -> str:
    """The sentence; afterwards the books of the other user are as empty as before."""
    with somebodys_books(books.database, "bob@farthing.example") as others:
        with pytest.raises(Unreadable) as raised:
            bring(others, content, tmp_path)
        assert "Traceback" not in str(raised.value)
        with books.database.reading() as db:
            assert db.value("SELECT COUNT(*) FROM entries WHERE user_id = :id", id=others.user_id) == 0
            assert db.value("SELECT COUNT(*) FROM accounts WHERE user_id = :id", id=others.user_id) == 2
        return str(raised.value)


def bring(books: Books, content: bytes, tmp_path: Any) -> None:
    load_archive(books.database, DiskBlobs(tmp_path), books.user_id, io.BytesIO(content), AT)


def changed(members: Members, kind: str, number: int, change: Callable[[dict[str, Any]], object]) -> bytes:
    lines = members[f"{kind}.jsonl"].splitlines()
    line = json.loads(lines[number])
    change(line)
    lines[number] = json.dumps(line).encode()
    return packed({**members, f"{kind}.jsonl": b"\n".join(lines) + b"\n"})


WRONG: list[tuple[str, int, dict[str, Any], str]] = [
    ("accounts", 2, {"kind": "Piggy"}, "accounts.jsonl, line 3: kind: must be one of"),
    ("accounts", 2, {"kind": "Cash account"}, "accounts.jsonl, line 3: kind: there must be only one cash account"),
    ("accounts", 2, {"name": "x" * 256}, "accounts.jsonl, line 3: name: must be text of 1 to 255 characters"),
    ("accounts", 2, {"name": "a\0b"}, "accounts.jsonl, line 3: name: contains a character"),
    ("accounts", 2, {"name": None}, "accounts.jsonl, line 3: name: is missing"),
    (
        "accounts",
        2,
        {"currency": "QQQ"},
        "accounts.jsonl, line 3: virtual_balance: its currency is missing, or unknown",
    ),
    ("accounts", 2, {"active": 1}, "accounts.jsonl, line 3: active: must be true or false, not '1'"),
    ("accounts", 2, {"user_id": 1}, "accounts.jsonl, line 3: 'user_id': is a field unknown"),
    ("accounts", 2, {"id": 1}, "accounts.jsonl, line 3: id: must be greater"),
    ("accounts", 2, {"created_at": "yesterday"}, "accounts.jsonl, line 3: created_at: must be a moment"),
    ("accounts", 2, {"helps_id": 999_999_999}, "accounts.jsonl, line 3: helps_id: 999999999 is not in accounts.jsonl"),
    ("transactions", 0, {"date": "2024-02-30"}, "transactions.jsonl, line 1: date: must be a day"),
    ("transactions", 0, {"splits": []}, "transactions.jsonl, line 1: splits: must be a list of 1 to 500 items"),
    ("transactions", 0, {"splits": [7]}, "transactions.jsonl, line 1: splits[0]: must be an object"),
    ("transactions", 0, {"bill_id": 4}, "transactions.jsonl, line 1: bill_id: 4 is not in bills.jsonl"),
    ("transactions", 0, {"tags": [12345]}, "transactions.jsonl, line 1: tag_id: 12345 is not in tags.jsonl"),
    ("transactions", 3, {"type": "Opening balance"}, "contradicts itself"),
    ("preferences", 9, {"data": "Europe/Atlantis"}, "preferences.jsonl, line 10: data: is not a value that timezone"),
    ("preferences", 0, {"name": "convertToPrimary"}, "preferences.jsonl, line 1: data: must be true or false"),
]


@pytest.mark.any_database
@pytest.mark.parametrize(("kind", "number", "values", "sentence"), WRONG, ids=[one[3][:60] for one in WRONG])
def test_a_line_that_is_wrong_is_named(books, archive, tmp_path, kind, number, values, sentence):
    content = changed(archive, kind, number, lambda line: line.update(values))

    assert sentence in refused(books, content, tmp_path)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"amount": "-1.00"}, "amount: must be more than zero, not '-1.00'"),
        ({"amount": "1.005"}, "amount: '1.005' may have at most 2 decimal places in EUR"),
        ({"amount": 10.5}, "amount: must be an amount as decimal text"),
        ({"amount": "9" * 30}, "may not be greater than"),
        ({"source_id": 999_999_999}, "source_id: 999999999 is not in accounts.jsonl"),
        ({"foreign_amount": "1.00"}, "foreign_amount: its currency is missing, or unknown"),
        ({"foreign_currency": "USD"}, "foreign_amount and foreign_currency must be set together"),
    ],
)
def test_a_split_that_is_wrong_is_named(books, archive, tmp_path, values, sentence):
    content = changed(archive, "transactions", 0, lambda line: line["splits"][0].update(values))

    said = refused(books, content, tmp_path)
    assert said.startswith("transactions.jsonl, line 1: ")
    assert sentence in said


def files(members: Members) -> Iterator[tuple[bytes, str]]:
    manifest = json.loads(members["farthing.json"])
    without = {name: content for name, content in members.items() if name != "farthing.json"}
    yield b"", "its end is missing"
    yield b"PK\3\4 no zip at all", "its end is missing"
    yield packed(without), "it has no farthing.json"
    yield packed({**members, "../../etc/passwd": b""}), "points outside the archive: ../../etc/passwd"
    yield packed({**members, "notes.txt": b""}), "does not belong there: 'notes.txt'"
    yield packed(members, ZIP_LZMA), "uses an unsupported compression"
    yield packed({**members, "farthing.json": b"{}"}), "farthing.json cannot be read by this version"
    yield packed({**members, "farthing.json": json.dumps({**manifest, "format": 2}).encode()}), "by a newer Farthing"
    yield packed({**members, "tags.jsonl": b""}), "tags.jsonl has 0 lines, but farthing.json says that it has 2"
    yield packed({**members, "tags.jsonl": b"[" * 100_000}), "tags.jsonl, line 1: the line is not a JSON object"
    yield packed({**members, "tags.jsonl": b"\xff\xfe"}), "tags.jsonl, line 1: the line is not a JSON object"
    yield packed({**members, "tags.jsonl": b"[1]\n"}), "tags.jsonl, line 1: the line is not a JSON object"
    yield packed({**members, f"attachments/{'0' * 64}": b"x"}), "its content does not match its name"


def test_whoever_moves_in_brings_currencies_along(books, archive, tmp_path):
    line = {"code": "FRT", "name": "Euro", "symbol": "€", "decimal_places": 3, "created_at": AT, "updated_at": AT}
    manifest = json.loads(archive["farthing.json"])
    manifest["counts"]["currencies"] = 1
    members = {**archive, "farthing.json": json.dumps(manifest).encode()}
    members["currencies.jsonl"] = json.dumps(line).encode() + b"\n"

    with somebodys_books(books.database, "bob@farthing.example") as others:
        bring(others, changed(members, "accounts", 2, _farthings), tmp_path)
    assert "FRT" in _codes(books)

    members["currencies.jsonl"] = json.dumps({**line, "decimal_places": 4}).encode() + b"\n"
    assert "FRT has 3 decimal places here, not 4" in refused(books, packed(members), tmp_path)


def _farthings(line: dict[str, Any]) -> None:
    line["currency"] = "FRT"


def _codes(books: Books) -> list[str]:
    with books.database.reading() as db:
        return [code for (code,) in db.all("SELECT code FROM currencies")]


def test_a_file_that_is_no_archive_is_refused_as_a_whole(books, archive, tmp_path):
    for content, sentence in files(archive):
        assert sentence in refused(books, content, tmp_path)


@pytest.mark.any_database
def test_a_line_without_end_takes_no_memory(books, archive, tmp_path):
    bomb = packed({**archive, "tags.jsonl": b" " * (64 * 1024 * 1024)})
    assert len(bomb) < 1024 * 1024

    assert "tags.jsonl, line 1: a line may have at most" in refused(books, bomb, tmp_path)


@pytest.mark.any_database
def test_books_that_are_not_empty_stay_as_they_are(books, archive, tmp_path):
    with pytest.raises(Conflict, match="empty books"):
        bring(books, packed(archive), tmp_path)

    assert books.findings() == []


def test_the_layout_leaves_out_only_what_is_computed():
    """A new column of a table has to be added to the layout, or to this list."""
    computed = {
        "id", "user_id", "name_fold", "title_fold", "words_key", "longest_word", "current_units", "custom", "fired",
        "latest_on", "due_on", "on_day", "type", "source_foreign", "destination_foreign", "place", "position",
        "entry_id", "brought_by", "units",
    }  # fmt: skip
    seen = defaultdict(set)
    for kind in KINDS:
        for table, fields in ((kind.table, kind.fields), *((part.table, part.fields) for part in kind.parts)):
            seen[table] |= {one.stored_as for one in fields if one.is_stored and one.type is not FieldType.ID}
        for part in kind.parts:
            seen[part.table].add(part.parent)
    for table, columns in seen.items():
        assert set(TABLES[table]) - columns <= computed, table
        assert columns <= set(TABLES[table]), table
    private = {"users", "tokens", "sessions", "devices", "sign_in_attempts", "sign_in_links", "answers", "house"}
    private |= {"audit", "factors", "recovery_codes", "passkey_challenges", "members", "invitations"}
    private |= {"webhooks", "webhook_messages", "webhook_attempts"}  # they hold secrets
    private |= {"webhook_progress", "webhook_occasions", "password_requests", "password_links"}
    # They belong to a person, and are about this installation.
    private |= {"notices", "notice_states", "notice_deliveries", "push_subscriptions", "push_keys", "notice_addresses"}
    private |= {"apps", "app_codes", "app_refresh_tokens", "identities", "provider_states"}
    kept = {"balances", "flows", "counts", "net_worth", "payments", "words", "mentions", "contents"}
    kept |= {table for table in TABLES if table.startswith("sums_of_")}
    log = {"jobs", "dry_run_changes", "changes", "revisions", "checkups", "migrations"}
    fetched = {"published_rates", "lineage"}  # of the installation, not of a user
    assert set(TABLES) - seen.keys() == private | kept | log | fetched
    assert BY_NAME["transactions"].table == "entries"


@pytest.mark.any_database
def test_an_archive_is_recognised_by_its_first_file(archive):
    assert manifest.looks_like(packed(archive)[:65536], "anything.bin")
    assert not manifest.looks_like(packed({"db.sqlite": b""})[:65536], "farthing.zip")
