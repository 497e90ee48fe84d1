"""Bank holidays beside weekends: where a planned day lands, and which days are holidays where."""

import subprocess
import sys
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.schedule.agenda import Agenda
from farthing.schedule.bank_holidays import calendar_of, place_meant
from farthing.schedule.occurrences import RecurrencePlan
from farthing.schedule.repetition import Repetition, RepetitionType
from farthing.schedule.weekend import REACH_OVER_HOLIDAYS, Weekend, land

from ..length import examples
from .test_occurrences import DAY, day, landing, oracle, repetitions, starts

CHRISTMAS = frozenset({day("2024-12-25"), day("2024-12-26"), day("2025-01-01")})


@pytest.mark.parametrize(
    ("planned", "keep", "drop", "before", "after"),
    [
        ("2024-12-24", "2024-12-24", "2024-12-24", "2024-12-24", "2024-12-24"),
        ("2024-12-25", "2024-12-25", None, "2024-12-24", "2024-12-27"),
        ("2024-12-26", "2024-12-26", None, "2024-12-24", "2024-12-27"),
        ("2024-12-28", "2024-12-28", None, "2024-12-27", "2024-12-30"),
        ("2025-01-01", "2025-01-01", None, "2024-12-31", "2025-01-02"),
    ],
)
def test_a_holiday_is_like_a_saturday(planned: str, keep: str, drop: str | None, before: str, after: str) -> None:
    found = [land(day(planned), rule, CHRISTMAS.__contains__) for rule in Weekend]

    assert found == [day(keep), drop and day(drop), day(before), day(after)]


def test_moving_goes_on_until_a_working_day() -> None:
    easter = frozenset({day("2024-03-29"), day("2024-04-01")}).__contains__

    assert land(day("2024-03-30"), Weekend.MONDAY, easter) == day("2024-04-02")
    assert land(day("2024-03-31"), Weekend.FRIDAY, easter) == day("2024-03-28")
    assert land(day("2024-04-01"), Weekend.FRIDAY, easter) == day("2024-03-28")


def test_without_any_working_day_the_day_stays() -> None:
    assert [land(day("2024-04-01"), rule, lambda _day: True) for rule in Weekend] == [
        day("2024-04-01"),
        None,
        day("2024-04-01"),
        day("2024-04-01"),
    ]


def test_only_a_repetition_that_asks_respects_holidays() -> None:
    plain = Repetition(RepetitionType.MONTHLY, "25", 0, Weekend.MONDAY)
    asking = Repetition(RepetitionType.MONTHLY, "25", 0, Weekend.MONDAY, holidays=True)
    plan = RecurrencePlan(day("2024-12-01"), (plain, asking), is_holiday=CHRISTMAS.__contains__)

    found = landing(plan, day("2024-12-01"), day("2024-12-31"))

    assert [(one.place, one.landed_on) for one in found] == [(0, day("2024-12-25")), (1, day("2024-12-27"))]


def test_a_day_that_is_always_dropped_never_lands() -> None:
    yearly = Repetition(RepetitionType.YEARLY, "2024-12-25", 0, Weekend.DROP, holidays=True)
    agenda = Agenda(
        RecurrencePlan(day("2024-06-01"), (yearly,), is_holiday=lambda one: one.month == 12), day("2024-06-01")
    )

    assert agenda.upcoming(day("2024-06-02")) == [[]]
    assert agenda.next_day() is None


@settings(max_examples=examples(3_000), deadline=None)
@given(repetitions, starts, st.integers(0, 60), st.integers(0, 200), st.sets(st.integers(0, 400), max_size=60))
def test_landed_days_equal_the_oracle_whatever_the_holidays(
    repetition: Repetition, first: date, after: int, length: int, off: set[int]
) -> None:
    free = {first + DAY * number for number in off}
    asking = Repetition(repetition.type, repetition.moment, repetition.skip, repetition.weekend, holidays=True)
    start = first + DAY * after
    end = start + DAY * length

    found = landing(RecurrencePlan(first, (asking,), is_holiday=free.__contains__), start, end)

    planned = oracle(asking, first, end + REACH_OVER_HOLIDAYS)
    expected = [(one, on) for one in planned if (on := working_day(one, asking.weekend, free)) and start <= on <= end]
    assert sorted((one.planned_on, one.landed_on) for one in found) == expected
    assert [one.landed_on for one in found] == sorted(on for _, on in expected)


def working_day(planned: date, rule: Weekend, free: set[date]) -> date | None:
    """The oracle: every day in turn, nearest first, until one is no day off."""
    step = {Weekend.KEEP: 0, Weekend.DROP: None, Weekend.FRIDAY: -1, Weekend.MONDAY: 1}[rule]
    days = [planned] if not step else [planned + timedelta(days=step * away) for away in range(15)]
    working = [one for one in days if rule == Weekend.KEEP or not (one.isoweekday() > 5 or one in free)]
    if working:
        return working[0]
    return None if rule == Weekend.DROP else planned


@pytest.mark.parametrize(
    ("place", "holidays", "working"),
    [
        ("NL", ["2024-04-27", "2024-12-26", "2025-05-05"], ["2024-12-27"]),
        ("DE", ["2024-10-03"], ["2024-11-01"]),
        ("DE-BY", ["2024-10-03", "2024-11-01"], ["2024-12-24"]),
        ("US", ["2024-07-04", "2024-11-28"], ["2024-12-26"]),
        ("IN", [], ["1990-05-05"]),
        ("NL", [], ["1949-12-25", "2151-12-25", "9998-12-25"]),
        ("XX", [], ["2024-12-25"]),
    ],
)
def test_the_holidays_of_a_place(place: str, holidays: list[str], working: list[str]) -> None:
    is_holiday = calendar_of(place)

    assert [one for one in holidays if not is_holiday(day(one))] == []
    assert [one for one in working if is_holiday(day(one))] == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [("nl", "NL"), ("DE-BY", "DE-BY"), ("de-by", "DE-BY"), ("DE-augsburg", "DE-Augsburg"), ("DE-", None),
     ("DE-XX", None), ("XX", None), ("DEU", None), ("", None), ("-BY", None)],
)  # fmt: skip
def test_a_place_has_one_spelling(written: str, meant: str | None) -> None:
    assert place_meant(written) == meant


def test_no_process_loads_the_library_before_it_is_asked() -> None:
    starting = "import sys, farthing.app, farthing.jobs.process; sys.exit('holidays' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", starting], check=False).returncode == 0
