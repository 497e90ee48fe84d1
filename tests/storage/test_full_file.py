"""SQLite takes everything back by itself when there is no room: what comes after must not stand alone, half done."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import timedelta

import pytest

from farthing.care.doctor import examine
from farthing.jobs.firing import fire_everyone
from farthing.kernel.errors import DiskFull, ReadOnly, Unavailable
from farthing.storage.drivers.sqlite import SqliteDatabase

from ..conftest import Client
from ..proof.disks import small_disk
from ..transactions.making import asset, made

LARGE = "INSERT INTO things (id) VALUES (:text)"


@pytest.fixture
def books(tmp_path) -> Iterator[SqliteDatabase]:
    books = SqliteDatabase(tmp_path / "books.sqlite3")
    with books.writing() as db:
        db.run("CREATE TABLE things (id TEXT)")
    yield books
    books.close()


@contextmanager
def hardly_any_room(books: SqliteDatabase, pages: int) -> Iterator[None]:
    """The file may not grow by more than so many pages; for whoever asks from this thread."""
    [(now,)] = books.connection().execute("PRAGMA page_count").fetchall()
    books.connection().execute(f"PRAGMA max_page_count = {now + pages}").fetchall()
    yield
    books.connection().execute("PRAGMA max_page_count = 1000000").fetchall()


def fill(db) -> None:
    for number in range(1000):
        db.run(LARGE, text=str(number) * 3000)


def fill_and_go_on(db) -> None:
    db.run(LARGE, text="before")
    with suppress(DiskFull), db.savepoint():
        fill(db)
    db.run(LARGE, text="after")


def things(books: SqliteDatabase) -> int:
    with books.reading() as db:
        return int(db.value("SELECT COUNT(*) FROM things"))


def test_after_the_disk_was_full_nothing_more_is_written_in_the_same_unit_of_work(books):
    with hardly_any_room(books, 20):
        with pytest.raises(DiskFull), books.writing() as db:
            fill_and_go_on(db)

        assert things(books) == 0
    with books.writing() as db:
        db.run(LARGE, text="again")
    assert things(books) == 1


def test_who_does_not_notice_is_told_at_the_commit(books):
    with hardly_any_room(books, 20), pytest.raises(Unavailable), books.writing() as db, suppress(DiskFull):
        fill(db)

    assert things(books) == 0


def test_a_file_that_is_gone_is_not_made_anew(books, tmp_path):
    """By whoever opens it for the first time; who has it open goes on with it."""
    books.path.rename(tmp_path / "away")

    with ThreadPoolExecutor(1) as other, pytest.raises(Unavailable):
        other.submit(things, books).result()
    assert not books.path.exists()
    (tmp_path / "away").rename(books.path)

    with ThreadPoolExecutor(1) as other:
        assert other.submit(things, books).result() == 0


def test_the_file_that_finds_no_room_is_named(books):
    with hardly_any_room(books, 20), pytest.raises(DiskFull) as refused, books.writing() as db:
        fill(db)

    assert f"the disk of {books.path}." in str(refused.value)


def test_a_copy_that_finds_no_room_is_not_blamed_on_the_disk_of_the_books(books, tmp_path):
    copy = tmp_path / "elsewhere" / "copy.sqlite3"
    with small_disk(copy.parent, 1) as disk:
        disk.fill()

        with pytest.raises(DiskFull, match=re.escape(f"disk of {copy}.")):
            books.snapshot(copy)
    assert things(books) == 0


def test_a_script_that_finds_no_room_says_so(books):
    with hardly_any_room(books, 1), pytest.raises(DiskFull), books.writing() as db:
        db.script("".join(f"CREATE TABLE more{number} (id TEXT);" for number in range(10)))


def test_a_place_that_cannot_be_written_to_is_told_from_one_that_is_not_there(tmp_path):
    path = tmp_path / "disk" / "books.sqlite3"
    with small_disk(path.parent, 4) as disk:
        with closing(SqliteDatabase(path)) as books, books.writing() as db:
            db.run("CREATE TABLE things (id TEXT)")
        disk.set_writable(False)

        with closing(SqliteDatabase(path)) as books, pytest.raises(ReadOnly, match="but the folder is not writable"):
            things(books)
        disk.set_writable(True)


def test_recurrences_that_find_no_room_fire_later_and_whole(new_world):
    if new_world.books.dialect != "sqlite":
        return
    owners = [new_world.someone() for _ in range(2)]
    for owner in owners:
        recur(owner)
    new_world.time.now += timedelta(days=40)
    with hardly_any_room(new_world.books, 3), pytest.raises(DiskFull):
        list(fire_everyone(new_world.books, new_world.time.clock()))
    assert [fired(owner) for owner in owners] in ([0, 0], [40, 0])
    assert list(examine(new_world.books)) == []

    list(fire_everyone(new_world.books, new_world.time.clock()))

    assert [fired(owner) for owner in owners] == [40, 40]
    assert list(examine(new_world.books)) == []


def recur(client: Client) -> None:
    split = {"description": "Milk", "amount": "1", "currency_code": "EUR", "destination_name": "Dairy"}
    body = {
        "type": "withdrawal", "title": "Milk", "first_date": "2024-05-16", "apply_rules": False, "active": True,
        "repetitions": [{"type": "daily", "moment": "", "skip": 0, "weekend": 1}],
        "transactions": [{**split, "source_id": made(client, asset())}],
    }  # fmt: skip
    assert client.post("/recurrences", body).status_code == 200


def fired(client: Client) -> int:
    [one] = client.get("/recurrences").json()["data"]
    assert one["attributes"]["failure"] is None
    return int(client.get("/transactions").json()["meta"]["pagination"]["total"])
