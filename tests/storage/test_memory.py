"""What is remembered between requests, for how long, and how much of it."""

from types import SimpleNamespace
from typing import Any

import pytest

from farthing.storage import memory
from farthing.storage.memory import Memory, recall


def reading(kept: Memory, user_id: int = 1, as_of: tuple[int, int] = (5, 1)) -> Any:
    return SimpleNamespace(memory=kept.at(user_id, as_of))


class Asked(list[list[int]]):
    """Answers with the words for numbers, and notes what it was asked for."""

    def __call__(self, ids: list[int]) -> dict[int, str]:
        self.append(sorted(ids))
        return {one: f"word {one}" for one in ids}


def test_what_one_reader_asked_for_the_next_one_knows() -> None:
    kept, asked = Memory(), Asked()

    assert recall(reading(kept), "words", {1, 2}, asked)[2] == "word 2"
    assert recall(reading(kept), "words", {2, 3}, asked)[3] == "word 3"
    recall(reading(kept), "words", {1, 2, 3}, asked)

    assert asked == [[1, 2], [3]]


@pytest.mark.parametrize(
    "other",
    [{"as_of": (6, 1)}, {"as_of": (5, 2)}, {"as_of": (4, 1)}, {"user_id": 2}],
    ids=["after a write", "after a write of the house", "in an older snapshot", "somebody else"],
)
def test_nothing_is_known_as_of_another_revision_or_of_somebody_else(other: dict[str, Any]) -> None:
    kept, asked = Memory(), Asked()

    recall(reading(kept), "words", {1}, asked)
    recall(reading(kept, **other), "words", {1}, asked)

    assert asked == [[1], [1]]


def test_kinds_of_things_are_kept_apart() -> None:
    kept, asked = Memory(), Asked()

    recall(reading(kept), "words", {1}, asked)
    recall(reading(kept), "names", {1}, asked)

    assert asked == [[1], [1]]


def test_without_an_id_there_is_nothing_and_nobody_asks() -> None:
    asked = Asked()

    assert recall(reading(Memory()), "words", {None}, asked)[None] is None
    assert recall(SimpleNamespace(memory=None), "words", {None}, asked)[None] is None  # type: ignore[arg-type]
    assert asked == []


def test_whoever_writes_asks_every_time(new_database: Any) -> None:
    asked = Asked()

    with new_database.writing() as db:
        recall(db, "words", {1}, asked)
        recall(db, "words", {1}, asked)

    assert asked == [[1], [1]]


def test_it_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_THINGS_MAX", 10)
    monkeypatch.setattr(memory, "_USERS_MAX", 3)
    kept = Memory()

    for first in range(0, 100, 5):
        recall(reading(kept), "words", set(range(first, first + 5)), Asked())
        assert sum(map(len, kept.at(1, (5, 1)).values())) < 10
    for user_id in range(20):
        recall(reading(kept, user_id), "words", {1}, Asked())
        assert len(kept._of) <= 3
