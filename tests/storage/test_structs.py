"""Rows become structs by the names of their columns: their order means nothing, and none may be missing."""

from datetime import date
from enum import StrEnum

import pytest
from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.storage.unit import columns_of, page_of, structs_by_owner


class Mood(StrEnum):
    GOOD = "good"
    BAD = "bad"


class Note(Struct, frozen=True):
    name: str
    text: str | None = None


class Day(Struct, frozen=True):
    on: date
    until: date | None
    mood: Mood
    is_over: bool
    words: tuple[str, ...]
    note: Note | None


_DAY = {
    "on": "'2024-05-01'", "until": "NULL", "mood": "'bad'", "is_over": "1", "words": """'["a", "b"]'""",
    "note.text": "'text'", "note.name": "'name'",
}  # fmt: skip
_READ = Day(
    on=date(2024, 5, 1), until=None, mood=Mood.BAD, is_over=True, words=("a", "b"), note=Note(name="name", text="text")
)


def select(columns: dict[str, str]) -> str:
    return "SELECT " + ", ".join(f'{value} AS "{name}"' for name, value in columns.items())


def test_columns_in_any_order_give_the_same_struct(quiet_database):
    turned = dict(reversed(_DAY.items()))
    with quiet_database.reading() as db:
        assert db.struct(Day, select(_DAY)) == _READ
        assert db.struct(Day, select(turned)) == _READ
        assert db.structs(Day, select(turned)) == db.structs(Day, select(turned)) == [_READ]
        assert db.ask_structs(Day, select(_DAY)).rows() == [_READ]


def test_two_columns_that_are_swapped_by_name_are_seen(quiet_database):
    swapped = _DAY | {"mood": _DAY["on"], "on": _DAY["mood"]}
    with quiet_database.reading() as db, pytest.raises((KeyError, ValueError)):
        db.struct(Day, select(swapped))


def test_a_column_that_is_missing_or_has_no_field_is_refused(quiet_database):
    missing = {name: value for name, value in _DAY.items() if name != "until"}
    with quiet_database.reading() as db:
        with pytest.raises(TypeError, match="Day: there is no column until"):
            db.structs(Day, select(missing))
        with pytest.raises(TypeError, match="Day has no field for the columns untill"):
            db.structs(Day, select(_DAY | {"untill": "NULL"}))
        with pytest.raises(TypeError, match="two columns have the same name"):
            db.structs(Note, "SELECT 'a' AS name, 'b' AS name")


def test_only_a_field_with_a_default_needs_no_column(quiet_database):
    with quiet_database.reading() as db:
        assert db.struct(Note, "SELECT 'a' AS name") == Note(name="a")


def test_a_struct_in_a_field_is_absent_if_all_its_columns_are(quiet_database):
    with quiet_database.reading() as db:
        absent = db.struct(Day, select(_DAY | {"note.text": "NULL", "note.name": "NULL"}))

    assert absent is not None
    assert absent.note is None


def test_without_rows_there_is_nothing_to_read(quiet_database):
    nothing = f"SELECT * FROM ({select(_DAY)}) AS days WHERE 1 = 0"
    with quiet_database.reading() as db:
        assert db.struct(Day, nothing) is None
        assert db.structs(Day, nothing) == []
        assert db.ask_structs(Day, nothing).rows() == []


class Coded(Struct, frozen=True):
    id: int
    currency: Currency


def test_a_page_comes_with_the_number_of_all(quiet_database):
    columns = columns_of(Currency, "c", "currency")
    coded = f"SELECT c.id, {columns} FROM currencies c JOIN currencies d ON d.id = c.id"
    with quiet_database.reading() as db:
        every = [row[0] for row in db.all("SELECT code FROM currencies WHERE id > 3 ORDER BY code DESC")]
        total, page = page_of(
            db, Coded, coded, "currencies c", "c.id > :after", "c.code DESC", limit=2, offset=1, after=3
        )

    assert total == len(every)
    assert [one.currency.code for one in page] == every[1:3]
    assert all(one.id == one.currency.id for one in page)


def test_structs_are_gathered_by_their_owner(quiet_database):
    sql = "SELECT 1 AS owner_id, 'a' AS name UNION ALL SELECT 1, 'b' UNION ALL SELECT 2, 'c'"
    with quiet_database.reading() as db:
        notes = structs_by_owner(db, Note, f"{sql} ORDER BY name")

    assert notes == {1: [Note(name="a"), Note(name="b")], 2: [Note(name="c")]}
    assert notes[3] == []


def test_a_stream_gives_every_struct_once(quiet_database):
    sql = "SELECT id, code, name, symbol, places FROM currencies ORDER BY id"
    with quiet_database.reading() as db:
        streamed = list(db.stream_structs(Currency, sql))
        assert streamed == db.structs(Currency, sql)
        assert (
            list(db.stream_structs(Currency, "SELECT id, code, name, symbol, places FROM currencies WHERE 1 = 0")) == []
        )
    assert len(streamed) > 20
