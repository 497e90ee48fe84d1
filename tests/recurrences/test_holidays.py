"""Bank holidays where the user lives: asked for by a repetition, and followed when the user moves."""

from datetime import UTC, datetime
from typing import Any

import pytest

from farthing.care import doctor

from ..conftest import Client, World
from .making import a_recurrence, a_repetition, asset, errors, fired, made, occurrences, stored


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


def lives_in(client: Client, place: str) -> None:
    assert client.put("/preferences/holidayCountry", {"data": place}).status_code == 200


def a_christmas(checking: str, weekend: int = 4, **fields: Any) -> dict[str, Any]:
    repetition = a_repetition("yearly", "2024-12-25", weekend=weekend) | {"holidays": True}
    return a_recurrence(checking, repetitions=[repetition], **fields)


@pytest.mark.parametrize(("weekend", "first"), [(1, "2024-12-25"), (2, None), (3, "2024-12-24"), (4, "2024-12-27")])
def test_a_repetition_may_respect_bank_holidays(me: Client, checking: str, weekend: int, first: str | None) -> None:
    lives_in(me, "NL")

    kept = stored(me, a_christmas(checking, weekend))

    assert kept["attributes"]["recurrence_repetitions"][0]["holidays"] is True
    assert occurrences(kept)[:1] == ([first] if first else [])
    if first:
        assert fired(me, "2024-12-31") == [first]


def test_without_a_country_there_are_no_bank_holidays(me: Client, checking: str) -> None:
    assert occurrences(stored(me, a_christmas(checking)))[0] == "2024-12-25"


def test_a_repetition_ignores_bank_holidays_unless_asked(me: Client, checking: str) -> None:
    lives_in(me, "NL")
    plain = a_repetition("yearly", "2024-12-25", weekend=4)

    assert occurrences(stored(me, a_recurrence(checking, repetitions=[plain])))[0] == "2024-12-25"


def test_holidays_is_a_flag(me: Client, checking: str) -> None:
    repetition = a_repetition() | {"holidays": "sometimes"}

    found = errors(me.post("/recurrences", a_recurrence(checking, repetitions=[repetition])))

    assert found.keys() == {"repetitions.0.holidays"}


def test_a_holiday_is_given_as_the_reason(me: Client, checking: str) -> None:
    lives_in(me, "DE-BY")
    daily = a_repetition("daily", "", weekend=4) | {"holidays": True}
    kept = stored(me, a_recurrence(checking, repetitions=[daily]))

    found = me.get(f"/recurrences/{kept['id']}/occurrences", start="2024-10-31", end="2024-11-04").json()["data"]

    assert [(one["planned_date"], one["date"], one["reason"]) for one in found] == [
        ("2024-10-31", "2024-10-31", None),
        ("2024-11-01", "2024-11-04", "holiday"),
        ("2024-11-02", "2024-11-04", "weekend"),
        ("2024-11-03", "2024-11-04", "weekend"),
        ("2024-11-04", "2024-11-04", None),
    ]


def test_a_preview_respects_bank_holidays_too(me: Client, checking: str) -> None:
    lives_in(me, "NL")

    [shown] = me.post("/recurrences/preview", a_christmas(checking)).json()["data"]

    assert (shown["date"], shown["reason"]) == ("2024-12-27", "holiday")


def test_moving_to_another_country_moves_the_days_to_come(new_world: World) -> None:
    me = new_world.someone()
    kept = stored(me, a_christmas(made(me, asset())))
    lives_in(me, "NL")

    assert occurrences(me.get(f"/recurrences/{kept['id']}").json()["data"])[0] == "2024-12-27"
    assert list(doctor.examine(new_world.books)) == []
    assert fired(me, "2024-12-26") == []
    assert fired(me, "2024-12-27") == ["2024-12-27"]


@pytest.mark.parametrize(("weekend", "on", "expected"), [(4, 25, "2024-12-27"), (3, 24, "2024-12-25")])
def test_changing_the_country_neither_loses_nor_repeats_a_pending_day(
    me: Client, checking: str, world: World, weekend: int, on: int, expected: str
) -> None:
    """Under way: it has passed and not landed yet, or would have landed already under the new holidays."""
    before, after = ("NL", "none") if weekend == 4 else ("none", "NL")
    lives_in(me, before)
    body = a_christmas(checking, weekend)
    kept = stored(me, body)
    world.time.now = datetime(2024, 12, on, 12, tzinfo=UTC)
    me.put(f"/recurrences/{kept['id']}", body)  # settles everything up to today

    lives_in(me, after)

    assert (fired(me, "2024-12-29"), fired(me, "2024-12-29")) == ([expected], [])
