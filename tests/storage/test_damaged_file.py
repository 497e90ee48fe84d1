"""A database file that is damaged does not heal: it is told once, what to do is said, and nobody is told to wait."""

import logging
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from farthing.app import build
from farthing.kernel.errors import Damaged, Locked
from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.outages import Outages

from ..conftest import Client, World, running

DAMAGE = b"\xff" * 512


@pytest.fixture
def here(tmp_path, check_answer) -> Iterator[World]:
    """PostgreSQL looks after its files itself."""
    yield from running(f"sqlite:///{tmp_path / 'farthing.sqlite3'}", tmp_path, check_answer)


def damage(books: SqliteDatabase, table: str) -> None:
    """The pages that its rows are found by; the rest of the file stays sound."""
    with books.reading() as db:
        pages = db.all("SELECT rootpage FROM sqlite_master WHERE tbl_name = :table AND rootpage > 0", table=table)
        size = db.value("PRAGMA page_size")
    books.empty_log()  # else the page would be read from the log
    with books.path.open("r+b") as file:
        for (page,) in pages:
            file.seek((page - 1) * size)
            file.write(DAMAGE)


@pytest.fixture
def damaged(here) -> Iterator[Client]:
    """Somebody whose tags are lost, and who asks a server that was started since."""
    someone = here.someone()
    damage(here.books, "tags")
    with TestClient(build(here.settings, here.time.clock()), base_url="http://farthing.example") as http:
        yield Client(http, someone.token, someone.user, here.check)


def test_the_file_is_named(here):
    damage(here.books, "tags")
    books = SqliteDatabase(here.books.path)

    with pytest.raises(Damaged) as told, books.reading() as db:
        db.all("SELECT * FROM tags")

    assert str(told.value) == f"The database file {books.path} is damaged: database disk image is malformed."
    books.close()


def test_a_file_that_is_no_database_is_damaged_as_well(tmp_path):
    path = tmp_path / "books.sqlite3"
    path.write_bytes(b"My diary. " * 1000)
    books = SqliteDatabase(path)

    with pytest.raises(Damaged, match="file is not a database"), books.reading():
        pass
    assert path.read_bytes() == b"My diary. " * 1000


def test_a_copy_of_a_damaged_file_is_not_what_is_damaged(here, tmp_path):
    damage(here.books, "tags")
    books = SqliteDatabase(here.books.path)

    with pytest.raises(Damaged) as told:
        books.snapshot(tmp_path / "copy.sqlite3")

    assert f"The database file {books.path} is damaged" in str(told.value)
    books.close()


def test_nobody_is_told_to_try_again(damaged):
    answer = damaged.get("/tags")

    assert answer.status_code == 503
    assert answer.json()["exception"] == "ServiceUnavailableHttpException"
    assert "is damaged. Trying again does not help" in answer.json()["message"]
    assert "retry-after" not in answer.headers


def test_from_then_on_the_server_is_not_ready(damaged, check_answer):
    assert damaged.http.get("/readyz").status_code == 200
    damaged.get("/tags")
    assert damaged.get("/accounts").status_code == 200

    for path in ("/readyz", "/health"):
        answer = damaged.http.get(path)
        assert answer.status_code == 503
        assert "is damaged" in answer.json()["message"]
        check_answer("GET", path, answer)
    assert damaged.http.get("/livez").status_code == 200


def test_it_is_told_once_and_what_still_works_does_not_work_again(damaged, caplog):
    for _ in range(3):
        damaged.get("/tags")
        damaged.post("/tags", {"tag": "milk"})
        assert damaged.get("/accounts").status_code == 200

    [line] = [one for one in caplog.records if one.name == "farthing.storage"]
    assert line.levelno == logging.ERROR
    assert line.getMessage().startswith("reading from the database fails: The database file ")
    assert line.getMessage().endswith("restore the last backup.")


def test_another_failure_comes_and_goes_beside_the_damage(caplog):
    outages = Outages()
    outages.note("reading", Damaged("It is damaged."))
    outages.note("reading", Locked("It is held."))

    outages.note_success("reading")

    assert [one.getMessage() for one in caplog.records] == [
        "reading fails: It is damaged. Stop the server, see what `farthing doctor` finds, and restore the last backup.",
        "reading fails, and will fail until this is resolved: It is held.",
        "reading works again; it had failed 1 times",
    ]
    assert str(outages.damage) == "It is damaged."
