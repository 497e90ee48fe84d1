"""Doctor examines recurrences: what they have made, when they are due, which days were changed by hand."""

from typing import Any

import pytest

from ..conftest import Client, World
from ..transactions.making import findings
from .making import a_recurrence, asset, fired, made, stored


@pytest.fixture
def kept(me: Client) -> dict[str, Any]:
    found = stored(me, a_recurrence(made(me, asset())))
    me.put(f"/recurrences/{found['id']}/occurrences/2024-08-01", {"date": "2024-06-05"})
    fired(me, "2024-07-01")
    return found


def test_correct_recurrences_have_no_findings(me: Client, world: World, kept: dict[str, Any]) -> None:
    me.delete(f"/transactions/{me.get('/transactions').json()['data'][0]['id']}")

    assert findings(world, me) == []


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ("recurrences SET fired = 2 WHERE id", "has fired 3 times, not 2."),
        ("recurrences SET latest_on = '2024-08-01' WHERE id", "fired last on 2024-07-01, not on 2024-08-01."),
        ("recurrences SET due_on = NULL WHERE id", "is due on 2024-09-01, but stored as due on None."),
        ("recurrences SET first_on = '2024-06-02' WHERE id", None),
    ],
)
def test_inconsistent_recurrences_are_reported(
    me: Client, world: World, kept: dict[str, Any], changed: str, told: str | None
) -> None:
    with world.books.writing() as db:
        assert db.run_and_count(f"UPDATE {changed} = :id", id=int(kept["id"])) == 1

    name = f"{me.user.email}: the recurrence {kept['id']} 'Gym'"
    assert findings(world, me) == ([f"{name} {told}"] if told else [])


def test_a_day_that_is_not_planned_cannot_have_been_changed(me: Client, world: World, kept: dict[str, Any]) -> None:
    me.put(f"/recurrences/{kept['id']}/occurrences/2024-09-01", {"skip": True})
    with world.books.writing() as db:
        db.run(
            "UPDATE recurrence_exceptions SET planned_on = '2024-09-02' WHERE recurrence_id = :id AND lands_on IS NULL",
            id=int(kept["id"]),
        )

    told = findings(world, me)

    assert any("has a manual change for 2024-09-02, which is not a planned day." in one for one in told)


def test_a_transaction_without_a_firing_is_reported(me: Client, world: World, kept: dict[str, Any]) -> None:
    with world.books.writing() as db:
        db.run(
            "UPDATE firings SET entry_id = NULL WHERE recurrence_id = :id AND planned_on = '2024-06-01'",
            id=int(kept["id"]),
        )

    [told] = findings(world, me)

    assert told.endswith(f"was created by recurrence {kept['id']}, which does not list it.")
