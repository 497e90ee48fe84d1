"""`farthing cron` by hand: which day it takes, and that nobody books the future by a slip of the finger."""

from pathlib import Path

import pytest

from ..conftest import NOW, World
from ..recurrences.making import a_recurrence, asset, made, stored
from .conftest import Terminal


@pytest.fixture
def today(tmp_path: Path) -> dict[str, str]:
    clock = tmp_path / "clock"
    clock.write_text(NOW.isoformat())
    return {"FARTHING_TESTING": "1", "FARTHING_TEST_CLOCK": str(clock)}


def test_a_day_after_today_is_refused_unless_it_is_meant(new_world: World, today: dict[str, str]) -> None:
    me = new_world.someone()
    stored(me, a_recurrence(made(me, asset()), first_date="2024-06-01"))
    terminal = Terminal(new_world.settings.data, new_world.settings.database_url)

    assert terminal.fails("cron", "--date", "2024-07-31", **today) == (
        "farthing: 2024-07-31 is after today, 2024-05-15: everything until then would be booked now; "
        "--ahead says that this is meant"
    )
    assert terminal.run("cron", "--date", "2024-05-15", **today).stdout == "Nothing was due.\n"
    assert terminal.run("cron", "--date", "2024-07-31", "--ahead", **today).stdout.endswith("2 transactions made.\n")


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


def test_the_help_says_how_a_day_is_written_and_what_ahead_is(terminal: Terminal) -> None:
    printed = terminal.says("cron", "--help")

    assert "YYYY-MM-DD" in printed
    assert "--ahead" in printed
