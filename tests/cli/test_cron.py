"""`farthing cron` by hand: which day it takes."""

import pytest

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
