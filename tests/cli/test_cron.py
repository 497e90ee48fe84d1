"""`farthing cron` by hand: which day it takes, and what it says."""

import pytest

from ..conftest import World
from ..recurrences.making import a_recurrence, asset, made, stored
from .conftest import Terminal


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ("2026-02-31", "there is no such day in the calendar"),
        ("31.12.2026", "write it as YYYY-MM-DD"),
        ("", "write it as YYYY-MM-DD"),
    ],
)
def test_what_is_no_day_is_told_as_everywhere(terminal: Terminal, typed: str, wrong: str) -> None:
    line = terminal.fails("cron", "--date", typed, code=2)

    assert "The date is " in line
    assert wrong in line
    assert "%Y" not in line


def test_it_says_how_many_it_made(new_world: World) -> None:
    me = new_world.someone()
    gym = stored(me, a_recurrence(made(me, asset())))["id"]
    terminal = Terminal(new_world.settings.data, new_world.settings.database_url)

    for day, count, then in (("2024-06-30", 1, "1 transaction made."), ("2024-08-31", 2, "2 transactions made.")):
        assert terminal.says("cron", "--date", day) == f"Gym (recurrence {gym}): made {count}\n{then}\n"
