"""What is remembered between requests, for how long, and how much of it."""

from typing import Any

import pytest

from farthing.storage import memory
from farthing.storage.memory import Memory
from farthing.storage.unit import Database

AS_OF = (5, 1)


def test_what_one_reader_has_read_the_next_one_knows() -> None:
    kept = Memory()

    kept.at(1, AS_OF)["words"] = {7: "seven"}

    assert kept.at(1, AS_OF) == {"words": {7: "seven"}}


@pytest.mark.parametrize(
    ("user_id", "as_of"),
    [(1, (6, 1)), (1, (5, 2)), (1, (4, 1)), (2, AS_OF)],
    ids=["after a write", "after a write of the house", "in an older snapshot", "somebody else"],
)
def test_nothing_is_known_as_of_another_revision_or_of_somebody_else(user_id: int, as_of: tuple[int, int]) -> None:
    kept = Memory()

    kept.at(1, AS_OF)["words"] = {7: "seven"}

    assert kept.at(user_id, as_of) == {}


def test_it_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_THINGS_MAX", 10)
    monkeypatch.setattr(memory, "_USERS_MAX", 3)
    kept = Memory()

    for number in range(100):
        words: dict[Any, str] = kept.at(1, AS_OF).setdefault("words", {})
        words[number] = "a word"
        assert len(words) <= 10
    for user_id in range(20):
        kept.at(user_id, AS_OF)
        assert len(kept._of) <= 3


def test_whoever_writes_has_no_memory(new_database: Database) -> None:
    with new_database.writing() as db:
        assert db.memory is None


def test_what_a_writer_knows_it_leaves_to_who_comes_after() -> None:
    kept = Memory()
    kept.at(1, AS_OF)["words"] = {7: "seven"}

    kept.keep(1, (6, 1), {"words": {8: "eight"}})

    assert kept.at(1, (6, 1)) == {"words": {8: "eight"}}
    assert kept.at(1, AS_OF) == {}
